"""The rules engine: what rule cases cannot say."""
