"""Folds the log into the read models in Redis: woken by jobs, and by nobody (the sweeper)."""
