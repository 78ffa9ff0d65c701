"""The life of a table: lobby, start, draws."""
