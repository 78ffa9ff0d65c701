"""A table: the pure life of a game from the lobby to its end, around the rules engine."""
