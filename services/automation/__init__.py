"""What acts without a person: players of the API like any other client."""
