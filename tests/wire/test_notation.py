"""The text of moves and of records, as docs/notation.md has it."""

from __future__ import annotations

import pytest

from shared.engine.commands import (
    Build,
    ChooseBuilding,
    ChooseRole,
    Command,
    DrawPlantation,
    Exchange,
    Guest,
    LoadAssorted,
    LoadGoods,
    MoveGuests,
    Pass,
    PlaceColonists,
    PlaceDrawnPlantation,
    SellGood,
    StoreGoods,
    TakeExtraGood,
    TakePlantation,
)
from shared.engine.vocabulary import BuildingKey as Key
from shared.engine.vocabulary import Good, Role, Tile
from shared.wire.game_record import BadRecord, read_record, replayed, write_record
from shared.wire.notation import UnreadableMove, read_move, write_move

TEXTS: dict[str, Command] = {
    "draft wharf": ChooseBuilding(Key.WHARF),
    "prospector_2": ChooseRole(Role.PROSPECTOR_2),
    "mayor -privilege": ChooseRole(Role.MAYOR, decline_privilege=True),
    "take quarry": TakePlantation(Tile.QUARRY),
    "take corn -hospice forest": TakePlantation(Tile.CORN, decline_hospice=True, as_forest=True),
    "draw": DrawPlantation(),
    "put": PlaceDrawnPlantation(),
    "put forest": PlaceDrawnPlantation(as_forest=True),
    "place 101 hacienda=1 wharf=0": PlaceColonists((1, 0, 1), {Key.HACIENDA: 1, Key.WHARF: 0}),
    "place -": PlaceColonists((), {}),
    "build wharf": Build(Key.WHARF),
    "build factory -university for colonist@3 corn point": Build(
        Key.FACTORY, decline_university=True, exchange=Exchange(3, Good.CORN, victory_point=True)
    ),
    "build factory for colonist@san_juan": Build(Key.FACTORY, exchange=Exchange("san_juan")),
    "extra sugar": TakeExtraGood(Good.SUGAR),
    "sell coffee": SellGood(Good.COFFEE),
    "sell coffee to trading_post": SellGood(Good.COFFEE, Key.TRADING_POST),
    "load corn 1": LoadGoods(Good.CORN, 1),
    "load corn wharf": LoadGoods(Good.CORN, Key.WHARF),
    "ship corn=2 sugar=1": LoadAssorted({Good.CORN: 2, Good.SUGAR: 1}),
    "store": StoreGoods(),
    "store whole=coffee,corn sugar=1": StoreGoods((Good.COFFEE, Good.CORN), {Good.SUGAR: 1}),
    "guests 3 library": MoveGuests((Guest(3), Guest(Key.LIBRARY))),
    "pass": Pass(),
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_move_has_this_text(text: str) -> None:
    assert write_move(TEXTS[text]) == text
    assert read_move(f"  {text.replace(' ', '  ')} ") == TEXTS[text]


@pytest.mark.parametrize(
    "text",
    [
        "", "governor", "settler corn", "mayor -hospice", "take", "take hat", "take corn corn",
        "take corn forest forest", "draw corn", "put corn", "place", "place 1x", "place 1 wharf",
        "place 1 wharf=1 wharf=1", "build", "build hat", "build wharf for hat",
        "build wharf for corn sugar", "sell", "sell coffee at office", "sell coffee to",
        "load corn", "load corn hat", "ship corn", "ship corn=x", "store whole=hat", "guests hat",
        "pass -privilege", "place \u00b2", "load corn \u00b2",
    ],
)  # fmt: skip
def test_other_text_is_no_move(text: str) -> None:
    with pytest.raises(UnreadableMove):
        read_move(text)


RECORD = """\
# Teachers may write comments.
Puerto Rico record 1

seat 0: Ana
seat 1: Beatriz: the second
seat 2: Carlos
options: {"seating":"as_joined"}
buildings: small_market hacienda construction_hut small_warehouse hospice office large_market \
large_warehouse factory university harbor wharf guild_hall residence fortress customs_house \
city_hall

set up {corn corn coffee sugar}
1. seat 0: settler
2. seat 0: take quarry
3. seat 1: take coffee
4. seat 2: pass {indigo tobacco corn corn}
"""


def test_a_record_is_read_and_played() -> None:
    record = read_record(RECORD)
    assert record.names == ["Ana", "Beatriz: the second", "Carlos"]
    *_, game = replayed(record)
    assert [space.tile for space in game.players[0].island] == [Tile.INDIGO, Tile.QUARRY]
    assert sorted(game.plantations.face_up) == ["corn", "corn", "indigo", "tobacco"]
    assert game.awaiting[0].seat == 1
    assert read_record(write_record(record)) == record


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("record 1", "record 2", "first line"),
        ("set up", "begin", "set up"),
        ("seat 2: Carlos\n", "", "nobody drew sugar"),
        ("seat 2: Carlos", "seat 3: Carlos", "counted from 0"),
        ("options: {", "options: ", "or before"),
        ('"as_joined"', '"by lot"', "or before"),
        ("options", "hats", "hats"),
        ("seat 0: Ana", "Ana", "key: value"),
        (" wharf guild_hall", " guild_hall", "set up"),
        ("{corn corn coffee sugar}", "{corn corn coffee}", "not named"),
        ("{corn corn coffee sugar}", "{corn corn coffee sugar sugar}", "nobody drew sugar"),
        ("{corn corn coffee sugar}", "{corn corn coffee hat}", "or before"),
        ("2. seat", "3. seat", "expected '2. seat"),
        ("take coffee", "take hat", "no move"),
        ("take coffee", "take tobacco", "move 3"),
        ("3. seat 1", "3. seat 4", "no seat 4"),
        ("pass {indigo", "pass {quarry", "no quarry lies face down"),
        ("pass {indigo tobacco corn corn}", "pass", "not named"),
        ("pass {indigo tobacco corn corn}", "pass {rye}", "line"),
    ],
)
def test_a_faulty_record_is_refused_with_its_place(old: str, new: str, reason: str) -> None:
    assert old in RECORD
    with pytest.raises(BadRecord, match=reason):
        list(replayed(read_record(RECORD.replace(old, new, 1))))
