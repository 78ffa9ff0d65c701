"""A game as rule cases describe it, every key of every map filled in."""

from shared.engine import Game
from shared.engine.state import Player
from shared.engine.vocabulary import BuildingKey, Decision, Role, Tile
from shared.wire.position import write_building, write_space

COSTS = range(1, 11)


def document(game: Game) -> dict[str, object]:
    """What `then` and `expect` are compared with."""
    supply, tiles, trigger = game.supply, game.plantations, game.end_trigger
    return {
        "round": game.round,
        "governor": game.governor,
        "turn": _turn(game),
        "roles_taken": {str(role): seat for role, seat in game.roles_taken.items()},
        "role_doubloons": {str(role): game.role_doubloons.get(role, 0) for role in Role},
        "players": {seat: _player(player) for seat, player in enumerate(game.players)},
        "supply": {
            "colonists": supply.colonists,
            "colonist_ship": supply.colonist_ship,
            "victory_points": supply.victory_points,
            "quarries": supply.quarries,
            "goods": {str(good): n for good, n in supply.goods.items()},
            "buildings": {str(key): supply.buildings.get(key, 0) for key in BuildingKey},
        },
        "plantations": {
            "face_up": [str(tile) for tile in tiles.face_up],
            "face_down": {str(tile): tiles.face_down.get(tile, 0) for tile in Tile},
            "discards": {str(tile): tiles.discards.get(tile, 0) for tile in Tile},
        },
        "cargo_ships": [
            {"capacity": ship.capacity, "good": ship.good and str(ship.good), "loaded": ship.loaded}
            for ship in game.cargo_ships
        ],
        "trading_house": [str(good) for good in game.trading_house],
        "awaiting": _awaiting(game),
        "phase": str(game.phase.role) if game.phase else None,
        "end_trigger": trigger and {"reason": str(trigger.reason), "round": trigger.round},
        "finished": game.is_over,
        "scores": _scores(game),
        "buildings_in_play": _buildings_in_play(game),
        "winners": list(game.winners),
    }


def _turn(game: Game) -> int:
    """The seat that takes a role now, or whose role is played, or took the last one."""
    if any(asked.decision is Decision.CHOOSE_ROLE for asked in game.awaiting):
        return game.next_to_choose()
    return [game.governor, *game.roles_taken.values()][-1]


def _player(player: Player) -> dict[str, object]:
    return {
        "doubloons": player.doubloons,
        "victory_points": player.victory_points,
        "goods": {str(good): n for good, n in player.goods.items()},
        "san_juan": player.san_juan,
        "island": [write_space(space) for space in player.island],
        "city": [write_building(key, colonists) for key, colonists in player.city.items()],
    }


def _awaiting(game: Game) -> dict[str, object] | None:
    """The first seat still to answer."""
    if not game.awaiting:
        return None
    return {"seat": game.awaiting[0].seat, "decision": str(game.awaiting[0].decision)}


def _scores(game: Game) -> dict[int, object] | None:
    if not game.scores:
        return None
    return {
        score.seat: {
            "total": score.total,
            "victory_points": score.victory_points,
            "buildings": score.buildings,
            "bonuses": sum(score.bonuses.values()),
        }
        for score in game.scores
    }


def _buildings_in_play(game: Game) -> dict[int, int]:
    """How many violet kinds of each cost, those drafted so far while a draft lasts."""
    keys = game.supply.buildings if game.drafted is None else game.drafted
    costs = [game.catalog[key].cost for key in keys if game.catalog[key].is_violet]
    return {cost: costs.count(cost) for cost in COSTS}
