"""What holds for the rules, the services and the whole."""
