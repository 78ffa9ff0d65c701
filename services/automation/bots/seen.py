"""What a seat may know of a game: the one place where a bot's view is cut down."""

from shared.engine import Game
from shared.engine.setup import COMPONENTS

_LATER_PRINTING = 126


def seen_by(game: Game, seat: int) -> Game:
    """A copy in which the others' hidden points are an even split of theirs (Rules 10)."""
    seen = game.clone()
    if not game.options.hidden_points:
        return seen
    others = [player for other, player in enumerate(seen.players) if other != seat]
    taken = _supply_at_start(game) - game.supply.victory_points - game.players[seat].victory_points
    each, over = divmod(max(0, taken), len(others))
    for place, player in enumerate(others):
        player.victory_points = each + (place < over)
    return seen


def _supply_at_start(game: Game) -> int:
    if game.options.points_supply == "126":
        return _LATER_PRINTING
    return COMPONENTS[len(game.players)].victory_points
