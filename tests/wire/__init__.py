"""Stored forms: moves, events, tables, positions."""
