"""Whole games that a person can read: every move, every event, and what it changed."""
