"""What a viewer may see of a table, as ready-made JSON. The only place where a secret is dropped.

A viewer is a seat, or None for a watcher and for members before the start. The documents' types are
Structs, so that the API's schemas are made from what is really sent (shared/http/documents.py).
"""

VIEW_FORMAT = 1
"""Raised when a document changes though its table does not; part of every ETag."""
