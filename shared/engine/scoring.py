"""The final scoring. Rules 6."""

from shared.engine.events import Score
from shared.engine.state import Game


def score(game: Game, seat: int) -> Score:
    """What this seat would score now."""
    player = game.players[seat]
    bonuses = {b.key: b.final_points(player, game) for b in game.active(player)}
    bonuses = {key: points for key, points in bonuses.items() if points}
    buildings = sum(game.catalog[key].points for key in player.city)
    return Score(
        seat=seat,
        victory_points=player.victory_points,
        buildings=buildings,
        bonuses=bonuses,
        total=player.victory_points + buildings + sum(bonuses.values()),
        tie_break=player.doubloons + sum(player.goods.values()),
    )


def standings(game: Game) -> tuple[tuple[Score, ...], tuple[int, ...]]:
    """All scores by seat, and who wins: most points, then most doubloons and goods; else shared."""
    scores = tuple(score(game, seat) for seat in range(len(game.players)))
    best = max((s.total, s.tie_break) for s in scores)
    return scores, tuple(s.seat for s in scores if (s.total, s.tie_break) == best)
