"""The command service: it validates and stores every change, and nothing else does."""
