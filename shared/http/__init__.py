"""What both HTTP services stand on: problem documents, strict bodies, tokens, limits, logs."""
