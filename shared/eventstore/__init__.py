"""The event store: every change of every game, in PostgreSQL, appended and never altered."""
