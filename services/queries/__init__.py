"""The query service: every read, from the read models, or from the log where they are behind."""
