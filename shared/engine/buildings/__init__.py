"""The buildings: what is printed on them, and how they answer the phases."""
