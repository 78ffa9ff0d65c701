"""The event store, on the newest PostgreSQL and on the oldest supported one."""
