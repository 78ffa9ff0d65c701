"""How moves, events and states look outside the engine: explicit names and versions."""
