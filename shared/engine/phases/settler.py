"""Settler: in turn order each player may take a plantation, the settler a quarry. Rules 4.1."""

from collections.abc import Iterator

from shared.engine.buildings.base import Building
from shared.engine.commands import (
    Command,
    DrawPlantation,
    Pass,
    PlaceDrawnPlantation,
    TakePlantation,
)
from shared.engine.errors import (
    ForestNotAllowed,
    LeftoverNotAllowed,
    MayNotDraw,
    MayNotPass,
    NoIslandSpace,
    NoQuarryLeft,
    NothingToDraw,
    OtherDecision,
    QuarryNotAllowed,
    RuleViolation,
    TileNotFaceUp,
)
from shared.engine.events import (
    ColonistGained,
    DiscardsShuffled,
    DrawnPlantationPlaced,
    LeftoverOffered,
    PlantationDrawn,
    PlantationsDiscarded,
    TileTaken,
    TurnPassed,
)
from shared.engine.flow import ask, ask_next, end_phase, privilege_factor, skip
from shared.engine.memory import Settling
from shared.engine.plantations import pick, turn_up
from shared.engine.state import Game
from shared.engine.turn import Turn
from shared.engine.vocabulary import (
    SAN_JUAN,
    Decision,
    Tile,
)

TAKE = Decision.TAKE_PLANTATION
QUARRY = Tile.QUARRY


def begin(turn: Turn) -> None:
    _next(turn, None)


def options(game: Game, seat: int) -> list[Command]:
    if _memory(game).drawn is not None:
        return [PlaceDrawnPlantation()]
    found: list[Command] = [TakePlantation(tile) for tile in takeable(game, seat)]
    if why_not_draw(game, seat) is None:
        found.append(DrawPlantation())
    return found


def why_not_pass(game: Game, seat: int) -> type[RuleViolation] | None:
    return None if _memory(game).drawn is None else MayNotPass


def handle(turn: Turn, seat: int, command: Command) -> None:
    if _memory(turn.game).drawn is not None:
        if not isinstance(command, PlaceDrawnPlantation):
            raise OtherDecision("You have drawn a plantation and must place it.")
        _place_drawn(turn, seat, as_forest=command.as_forest)
        return
    match command:
        case TakePlantation():
            _take(turn, seat, command)
        case DrawPlantation():
            _draw(turn, seat)
        case Pass():
            turn.record(TurnPassed(seat, TAKE))
            _next(turn, seat)
        case _:
            raise OtherDecision


def resume(turn: Turn, seat: int, occupied: list[Building]) -> None:
    """After a drawn tile, or guests moved: the turn goes on if something is left to decide."""
    if not has_turn(turn.game, seat):
        skip(turn, [seat], TAKE)
        _next(turn, seat)
    elif turn.game.asked(seat) is None:
        ask(turn, seat, TAKE)


def has_turn(game: Game, seat: int) -> bool:
    if next(takeable(game, seat), None) is not None or why_not_draw(game, seat) is None:
        return True
    return game.movable_guests(game.players[seat]) > 0


# Questions, in rulebook order


def takeable(game: Game, seat: int) -> Iterator[Tile]:
    """The tiles this seat may take now, each kind once."""
    for tile in (*dict.fromkeys(game.plantations.face_up), QUARRY):
        if why_not_take(game, seat, tile) is None:
            yield tile


def why_not_take(game: Game, seat: int, tile: Tile) -> type[RuleViolation] | None:
    """Why this seat may not take this tile now."""
    if not game.players[seat].free_island_spaces():
        return NoIslandSpace
    leftover = _memory(game).leftover
    if leftover and not _leftover_allowed(game, seat):
        return LeftoverNotAllowed
    if tile is QUARRY:
        if not may_take_quarry(game, seat):
            return LeftoverNotAllowed if leftover else QuarryNotAllowed
        return None if game.supply.quarries else NoQuarryLeft
    return None if tile in game.plantations.face_up else TileNotFaceUp


def may_take_quarry(game: Game, seat: int) -> bool:
    """The settler's privilege, used up by a leftover take, or a construction hut's."""
    phase = _memory(game)
    if seat == phase.taker and not phase.leftover:
        return True
    return bool(game.answers(game.players[seat], Building.may_take_quarry))


def why_not_draw(game: Game, seat: int) -> type[RuleViolation] | None:
    """Why this seat may not draw a face-down tile now."""
    phase, player = _memory(game), game.players[seat]
    if phase.drew or phase.leftover or not game.answers(player, Building.draws_plantation):
        return MayNotDraw
    if not player.free_island_spaces():
        return NoIslandSpace
    if not (game.plantations.face_down or game.plantations.discards):
        return NothingToDraw
    return None


def may_plant_forest(game: Game, seat: int) -> bool:
    return bool(game.answers(game.players[seat], Building.may_plant_forest))


def _leftover_allowed(game: Game, seat: int) -> bool:
    return privilege_factor(game, seat) > 1


# What happens


def _take(turn: Turn, seat: int, command: TakePlantation) -> None:
    game, tile = turn.game, command.tile
    if (violation := why_not_take(game, seat, tile)) is not None:
        raise violation
    if command.as_forest and (tile is QUARRY or not may_plant_forest(game, seat)):
        raise ForestNotAllowed
    turn.record(TileTaken(seat, tile, command.as_forest))
    if not (command.decline_hospice or _memory(game).leftover):
        _staff(turn, seat, as_forest=command.as_forest)
    _next(turn, seat)


def _staff(turn: Turn, seat: int, *, as_forest: bool) -> None:
    """A colonist for the new tile: from the supply, else from the ship, else none."""
    game = turn.game
    for key in game.answers(game.players[seat], Building.staffs_new_tile):
        if (origin := game.supply.colonist_source()) is not None:
            place = SAN_JUAN if as_forest else len(game.players[seat].island) - 1
            turn.record(ColonistGained(seat, key, origin, place))


def _draw(turn: Turn, seat: int) -> None:
    game = turn.game
    if (violation := why_not_draw(game, seat)) is not None:
        raise violation
    source = next(iter(game.answers(game.players[seat], Building.draws_plantation)))
    if not game.plantations.face_down:
        turn.record(DiscardsShuffled(dict(game.plantations.discards)))
    number = game.draws
    tile = pick(turn.draw, number, game.plantations.face_down)
    turn.record(PlantationDrawn(seat, source, tile, number))
    if may_plant_forest(game, seat):
        ask(turn, seat, Decision.PLACE_DRAWN_PLANTATION)
    else:
        _place_drawn(turn, seat, as_forest=False)


def _place_drawn(turn: Turn, seat: int, *, as_forest: bool) -> None:
    tile = _memory(turn.game).drawn
    assert tile is not None
    if as_forest and not may_plant_forest(turn.game, seat):
        raise ForestNotAllowed
    turn.record(DrawnPlantationPlaced(seat, tile, as_forest))
    resume(turn, seat, [])


def _next(turn: Turn, after: int | None) -> None:
    phase = _memory(turn.game)
    if not phase.leftover:
        if ask_next(turn, after, TAKE, has_turn):
            return
        if _offer_leftover(turn, phase.taker):
            return
    _refill(turn)
    end_phase(turn)


def _offer_leftover(turn: Turn, taker: int) -> bool:
    """A doubled privilege: after everyone the settler may take a tile left (Rules 8.2, library)."""
    if privilege_factor(turn.game, taker, within_reach=True) < 2:
        return False
    turn.record(LeftoverOffered(taker))
    if has_turn(turn.game, taker):
        ask(turn, taker, TAKE)
        return True
    skip(turn, [taker], TAKE)
    return False


def _refill(turn: Turn) -> None:
    """The face-up tiles left are discarded and players + 1 new ones turned up."""
    tiles = turn.game.plantations
    if tiles.face_up:
        turn.record(PlantationsDiscarded(tuple(tiles.face_up)))
    turn_up(turn)


def _memory(game: Game) -> Settling:
    assert isinstance(game.phase, Settling)
    return game.phase
