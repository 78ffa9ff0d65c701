"""What keeps the stack from running, said in one sentence to the person who started it."""


class StackError(Exception):
    """The message is the whole explanation; the command prints it and exits with 1."""
