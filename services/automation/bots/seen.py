"""What a seat may know of a game: the one place where a bot's view is cut down, or filled up."""

from random import Random
from typing import Any

from shared.engine import Draw, Game
from shared.engine.setup import COMPONENTS
from shared.wire.full_position import read_full_position

_LATER_PRINTING = 126


def seen_by(game: Game, seat: int) -> Game:
    """A copy in which the others' hidden points are an even split of theirs (Rules 10)."""
    seen = game.clone()
    if not game.options.hidden_points:
        return seen
    own, count = game.players[seat].victory_points, len(game.players)
    taken = _at_start(count, game.options.points_supply) - game.supply.victory_points - own
    for player, points in zip(seen.players, _shared_out(taken, count, seat, own), strict=True):
        player.victory_points = points
    return seen


def read_seen(state: dict[str, Any], seat: int) -> Game:
    """The same out of the state that the API shows this seat, where hidden points are null."""
    players: list[dict[str, Any]] = state["players"]
    own, count = players[seat]["victory_points"], len(players)
    start = _at_start(count, state["options"]["points_supply"])
    taken = start - state["supply"]["victory_points"] - own
    filled = [
        player | {"victory_points": points} if player["victory_points"] is None else player
        for player, points in zip(players, _shared_out(taken, count, seat, own), strict=True)
    ]
    return read_full_position(state | {"players": filled})


def imagined(random: Random) -> Draw:
    """Draws of the bot's own, to look ahead: it knows what lies face down, not in which order."""
    return lambda _number, among: random.randrange(among)


def _at_start(players: int, points_supply: str) -> int:
    """The victory points of a new game (Rules 1, 10)."""
    return _LATER_PRINTING if points_supply == "126" else COMPONENTS[players].victory_points


def _shared_out(taken: int, players: int, seat: int, own: int) -> list[int]:
    """By seat: one's own points, and what the others have taken in even parts."""
    each, over = divmod(max(0, taken), players - 1)
    points = [each + (place < over) for place in range(players - 1)]
    return [*points[:seat], own, *points[seat:]]
