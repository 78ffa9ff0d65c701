"""Moves, the wire form of commands (docs/rules.md, CASES.md): `{"type": ..., ...}`."""

from msgspec import ValidationError, convert, to_builtins

from shared.engine.commands import AnyCommand, Command
from shared.wire.faults import located

Move = dict[str, object]


class MalformedMove(Exception):
    """Not a move: an unknown type or key, or a value of the wrong kind. `pointer` says where."""

    def __init__(self, detail: str, pointer: str) -> None:
        self.detail, self.pointer = detail, pointer
        super().__init__(f"{detail} at {pointer or '/'}")


def decode_move(move: object) -> Command:
    """The command that this move means. Raises MalformedMove."""
    try:
        command: Command = convert(move, AnyCommand)
    except ValidationError as error:
        raise MalformedMove(*located(error)) from None
    return command


def encode_move(command: Command) -> Move:
    """The move that means this command; flags and arguments that are not set are left out."""
    move: Move = to_builtins(command)
    return move
