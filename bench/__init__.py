"""Measures how fast everything is: `make bench`, docs/benchmarks.md."""
