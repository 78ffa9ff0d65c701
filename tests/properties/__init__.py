"""Random legal games, with everything that must always hold checked after every event."""
