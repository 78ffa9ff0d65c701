"""Storage at the end of the captain phase: what does not spoil. Rules 4.6."""

from collections.abc import Iterator
from itertools import combinations

from shared.engine.buildings.base import Building, Storage
from shared.engine.commands import Command, StoreGoods
from shared.engine.errors import MayNotPass, OtherDecision, RuleViolation, StorageNotAllowed
from shared.engine.events import CargoShipsEmptied, GoodsStored
from shared.engine.flow import end_phase, settle_or_ask
from shared.engine.state import Game
from shared.engine.turn import Turn
from shared.engine.vocabulary import ALL_GOODS, Decision, Good

STORE = Decision.STORE_GOODS
Barrels = dict[Good, int]


def begin(turn: Turn) -> None:
    _next(turn, None)


def options(game: Game, seat: int) -> list[Command]:
    """One command per set of barrels that may be kept."""
    return list(choices(game, seat))


def why_not_pass(game: Game, seat: int) -> type[RuleViolation] | None:
    return MayNotPass


def handle(turn: Turn, seat: int, command: Command) -> None:
    if not isinstance(command, StoreGoods):
        raise OtherDecision
    held = turn.game.players[seat].goods
    if len(set(command.warehouses)) != len(command.warehouses):
        raise StorageNotAllowed("A kind is named twice.")
    if any(command.barrels.get(good) for good in command.warehouses):
        raise StorageNotAllowed("A kind kept whole has no single barrels.")
    keeping = kept(command, held)
    if keeping not in [kept(choice, held) for choice in choices(turn.game, seat)]:
        raise StorageNotAllowed
    _store(turn, seat, keeping, asked=True)
    _next(turn, seat)


def resume(turn: Turn, seat: int, occupied: list[Building]) -> None:
    """After guests moved there may be only one outcome left."""
    if _settle(turn, seat):
        _next(turn, seat)


# Questions, in rulebook order


def room(game: Game, seat: int) -> Storage:
    """1 barrel, and what the buildings add."""
    kinds, barrels = 0, 1
    for storage in game.answers(game.players[seat], Building.storage).values():
        kinds += storage.kinds
        barrels += storage.barrels
    return Storage(kinds, barrels)


def choices(game: Game, seat: int) -> list[StoreGoods]:
    """The sets of barrels that may be kept and are part of no larger such set, each once."""
    held = {good: n for good, n in game.players[seat].goods.items() if n}
    storage = room(game, seat)
    if not storage.kinds:  # then all are of one size and differ
        single_barrels = _pick(list(held.items()), min(storage.barrels, sum(held.values())))
        return [StoreGoods((), single) for single in single_barrels]
    sets: dict[tuple[tuple[Good, int], ...], StoreGoods] = {}
    for whole in combinations(held, min(storage.kinds, len(held))):
        rest = {good: n for good, n in held.items() if good not in whole}
        for single in _pick(list(rest.items()), min(storage.barrels, sum(rest.values()))):
            command = StoreGoods(whole, single)
            sets.setdefault(tuple(kept(command, held).items()), command)
    keeping = [(dict(key), command) for key, command in sets.items()]
    return [
        command
        for barrels, command in keeping
        if not any(_is_part(barrels, other) for other, _ in keeping)
    ]


def kept(command: StoreGoods, held: Barrels) -> Barrels:
    """The barrels that stay, in the order of the goods."""
    whole, single = command.warehouses, command.barrels
    return {
        good: n
        for good in ALL_GOODS
        if (n := held.get(good, 0) if good in whole else single.get(good, 0))
    }


def _pick(rest: list[tuple[Good, int]], number: int) -> Iterator[Barrels]:
    """All ways to pick so many barrels out of these."""
    if not number:
        yield {}
        return
    if not rest:
        return
    (good, held), *others = rest
    for taken in range(min(held, number), -1, -1):
        for further in _pick(others, number - taken):
            yield {good: taken, **further} if taken else further


def _is_part(barrels: Barrels, other: Barrels) -> bool:
    """Whether the one set is a part of the other, larger one."""
    return barrels != other and all(n <= other.get(good, 0) for good, n in barrels.items())


# What happens


def _next(turn: Turn, after: int | None) -> None:
    if settle_or_ask(turn, after, STORE, _settle):
        return
    full = [index for index, ship in enumerate(turn.game.cargo_ships) if not ship.room()]
    if full:
        turn.record(CargoShipsEmptied(tuple(full)))
    end_phase(turn)


def _settle(turn: Turn, seat: int) -> bool:
    """Store a seat's barrels if there is only one way to."""
    held = turn.game.players[seat].goods
    if not any(held.values()):
        return True
    found = choices(turn.game, seat)
    if len(found) > 1:
        return False
    _store(turn, seat, kept(found[0], held), asked=False)
    return True


def _store(turn: Turn, seat: int, keeping: Barrels, *, asked: bool) -> None:
    held = turn.game.players[seat].goods
    lost = {good: n for good in held if (n := held[good] - keeping.get(good, 0))}
    turn.record(GoodsStored(seat, keeping, lost, asked))
