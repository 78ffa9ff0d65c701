"""Moves whose arguments are too many to list: what they may be, and an example."""

from msgspec import Struct

from shared.engine import guests
from shared.engine.commands import (
    Build,
    Exchange,
    Guest,
    LoadAssorted,
    MoveGuests,
    PlaceColonists,
)
from shared.engine.phases import builder, captain, mayor
from shared.engine.state import Game, Player
from shared.engine.vocabulary import BuildingKey, Decision, Good


class Arrangement(Struct, frozen=True, tag_field="type", tag="place_colonists"):
    """Place this many colonists on these circles; as many circles as possible are filled."""

    colonists: int
    island_circles: tuple[int, ...]
    city_circles: dict[BuildingKey, int]
    example: PlaceColonists


class AssortedLoad(Struct, frozen=True, tag_field="type", tag="load_small_wharf"):
    """Ship any of these barrels, at least one."""

    goods: dict[Good, int]
    example: LoadAssorted


class GuestMoves(Struct, frozen=True, tag_field="type", tag="move_guests"):
    """Move up to this many guests to these empty circles."""

    guests: int
    island: tuple[int, ...]
    """Island indexes with an empty circle."""
    city_circles: dict[BuildingKey, int]
    """Empty circles per building."""
    example: MoveGuests


class ExchangeBuild(Struct, frozen=True, tag_field="type", tag="build"):
    """Build this and make up for the missing doubloons: exactly so many of these, one of each."""

    building: BuildingKey
    missing: int
    colonists: tuple[int | str, ...]
    """Where a colonist may be taken from: island indexes, buildings, `san_juan`."""
    goods: tuple[Good, ...]
    victory_point: bool
    example: Build


OpenMove = Arrangement | AssortedLoad | GuestMoves | ExchangeBuild


def open_moves(game: Game, seat: int) -> list[OpenMove]:
    """What this seat may do now besides `legal`, also while the game waits for another seat."""
    asked = game.asked(seat)
    find = None if asked is None else _OF_DECISION.get(asked.decision)
    found = [] if find is None else find(game, seat)
    if seat in range(len(game.players)) and guests.may_move(game, seat):
        found.append(_guest_moves(game, seat))
    return found


def _arrangements(game: Game, seat: int) -> list[OpenMove]:
    island, city = mayor.island_circles(game, seat), mayor.city_circles(game, seat)
    left = colonists = game.players[seat].colonists()
    on_island: list[int] = []
    for circles in island:
        on_island.append(min(circles, left))
        left -= on_island[-1]
    in_city: dict[BuildingKey, int] = {}
    for key, circles in city.items():
        in_city[key] = min(circles, left)
        left -= in_city[key]
    example = PlaceColonists(tuple(on_island), in_city)
    return [Arrangement(colonists, island, city, example)]


def _assorted_loads(game: Game, seat: int) -> list[OpenMove]:
    if not captain.may_ship_assorted(game, seat):
        return []
    held = {good: n for good, n in game.players[seat].goods.items() if n}
    return [AssortedLoad(held, LoadAssorted(held))]


def _exchanges(game: Game, seat: int) -> list[OpenMove]:
    """The buildings that can be paid for only by giving things back (Rules 8.2, black market)."""
    player = game.players[seat]
    if not builder.exchange_limit(game, player):
        return []
    short_of = builder.short_of(game, seat)
    return [_exchange(game, player, key, missing) for key, missing in short_of.items()]


def _exchange(game: Game, player: Player, key: BuildingKey, missing: int) -> ExchangeBuild:
    """A good is given first, then a victory point, then a colonist: what is missed least."""
    colonists = builder.exchangeable_colonists(game, player, game.catalog[key])
    goods = builder.exchangeable_goods(player)
    points = player.victory_points > 0
    give_good = bool(goods)
    give_point = points and missing > give_good
    give_colonist = missing > give_good + give_point
    exchange = Exchange(
        colonist=colonists[0] if give_colonist else None,
        good=goods[0] if give_good else None,
        victory_point=give_point,
    )
    example = Build(key, exchange=exchange)
    return ExchangeBuild(key, missing, tuple(colonists), tuple(goods), points, example)


_OF_DECISION = {
    Decision.PLACE_COLONISTS: _arrangements,
    Decision.LOAD_GOODS: _assorted_loads,
    Decision.BUILD: _exchanges,
}


def _guest_moves(game: Game, seat: int) -> GuestMoves:
    player = game.players[seat]
    places = game.guest_places(player)
    return GuestMoves(
        guests=game.guests(player),
        island=tuple(place for place in places if isinstance(place, int)),
        city_circles={key: n for key, n in places.items() if isinstance(key, BuildingKey)},
        example=MoveGuests((Guest(next(iter(places))),)),
    )
