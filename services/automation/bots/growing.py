"""How much a tile, a building, a place for a guest adds to a player's board."""

from services.automation.bots.appeal import Appeal
from services.automation.bots.outlook import cycles_left, worth
from shared.engine import Game
from shared.engine.commands import (
    Build,
    Command,
    DrawPlantation,
    Exchange,
    MoveGuests,
    PlaceDrawnPlantation,
    TakePlantation,
)
from shared.engine.memory import Settling
from shared.engine.phases import builder
from shared.engine.phases.trader import PRICES
from shared.engine.state import Space
from shared.engine.vocabulary import Tile

DRAW = 1.0
"""A hacienda's tile costs nothing; only the last island space is kept for one of one's choice."""
GIVEN = 0.6
"""What a colonist, a good or a point given back is missed."""
READY = 0.2
"""What a guest is worth where he is, free to go anywhere later."""


def of_tile(game: Game, seat: int) -> Appeal:
    player, cycles = game.players[seat], cycles_left(game)
    before = worth(game, player, cycles)
    staffed = any(building.staffs_new_tile() for building in game.active(player))

    def appeal(command: Command) -> float:
        match command:
            case TakePlantation(tile=tile, as_forest=as_forest):
                pass
            case PlaceDrawnPlantation(as_forest=as_forest):
                assert isinstance(game.phase, Settling) and game.phase.drawn is not None
                tile = game.phase.drawn
            case DrawPlantation():
                return DRAW if player.free_island_spaces() > 1 else 0.0
            case _:
                return 0.0
        after = player.clone()
        space = Space(Tile.FOREST) if as_forest else Space(tile, int(staffed))
        after.island.append(space)
        return worth(game, after, cycles) - before

    return appeal


def of_building(game: Game, seat: int) -> Appeal:
    player, cycles = game.players[seat], cycles_left(game)
    before = worth(game, player, cycles)
    staffed = any(building.staffs_new_building() for building in game.active(player))

    def appeal(command: Command) -> float:
        if not isinstance(command, Build):
            return 0.0
        key = command.building
        after = player.clone()
        after.doubloons = max(0, player.doubloons - builder.price(game, seat, key))
        after.city[key] = int(staffed and game.catalog[key].circles > 0)
        return worth(game, after, cycles) - before - _missed(command.exchange)

    return appeal


def _missed(given: Exchange | None) -> float:
    if given is None:
        return 0.0
    return GIVEN * given.worth() + (PRICES[given.good] / 10 if given.good is not None else 0.0)


def of_guests(game: Game, seat: int) -> Appeal:
    player, cycles = game.players[seat], cycles_left(game)
    house = game.guest_house(player)
    before = worth(game, player, cycles)

    def appeal(command: Command) -> float:
        if not isinstance(command, MoveGuests) or house is None:
            return 0.0
        after = player.clone()
        for guest in command.guests:
            after.city[house] -= 1
            if isinstance(guest.to, int):
                after.island[guest.to].colonists += 1
            else:
                after.city[guest.to] += 1
        return worth(game, after, cycles) - before - READY * len(command.guests)

    return appeal
