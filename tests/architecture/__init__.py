"""What the code promises about itself, read from its source."""
