"""Gunicorn's workers, hardened against clients that dawdle or do not speak HTTP."""
