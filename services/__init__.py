"""The services: each is a process of its own and meets the others by events and HTTP only."""
