"""What the services stand on: the rules, the event store, views and the HTTP layer."""
