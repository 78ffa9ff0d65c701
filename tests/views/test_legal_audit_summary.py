"""Legal moves, audit items and list entries."""

import hashlib
import random
from typing import Any
from uuid import UUID

import msgspec

from shared.engine import decide
from shared.engine.buildings.catalog import BASE_VIOLET
from shared.engine.options import Options
from shared.engine.vocabulary import BuildingKey
from shared.eventstore.canonical import canonical
from shared.table.state import Table
from shared.views.audit import audit_item
from shared.views.legal import legal_document
from shared.views.summary import summary_document, turn_documents
from shared.wire.moves import decode_move
from tests.tables import Play

WITH_BLACK_MARKET = tuple(
    BuildingKey.BLACK_MARKET if key is BuildingKey.CONSTRUCTION_HUT else key for key in BASE_VIOLET
)


def test_every_legal_move_reads_back_as_a_command_and_names_no_optional_flag() -> None:
    seen = set()
    for number in range(4):
        play = Play(4, rng=random.Random(number), game_id=UUID(int=number)).start()
        while play.table.game and not play.table.game.is_over:
            for move in offered(play.table, play.table.game.awaiting[0].seat):
                decode_move(move)
                seen.add(move["type"])
                assert not any(flag.startswith("decline") for flag in move)
            play.move()
    assert {"choose_role", "place_colonists", "store_goods", "load_goods", "pass"} <= seen


def offered(table: Table, seat: int) -> list[dict[str, Any]]:
    """All moves of a seat's document, examples included."""
    document = msgspec.json.decode(legal_document(table, seat))
    moves = [*document["moves"], *(open_move["example"] for open_move in document["open_moves"])]
    assert moves
    return moves


def test_a_build_payable_only_by_an_exchange_is_listed_with_one_that_works() -> None:
    found = 0
    for number in range(6):
        options = Options(buildings="custom", custom_buildings=WITH_BLACK_MARKET)
        play = Play(3, options, rng=random.Random(number), game_id=UUID(int=number)).start()
        while play.table.game and not play.table.game.is_over:
            game, seat = play.table.game, play.table.game.awaiting[0].seat
            listed = msgspec.json.decode(legal_document(play.table, seat))["moves"]
            for move in listed:
                decide(game, seat, decode_move(move), play.draws)
                found += "exchange" in move
            play.move()
    assert found


def test_a_seat_not_awaited_has_no_moves() -> None:
    table = Play(3).start().table
    document = msgspec.json.decode(legal_document(table, 1))
    assert document == {
        "version": table.version,
        "seat": 1,
        "decision": None,
        "decision_id": None,
        "moves": [],
        "open_moves": [],
    }


def test_an_audit_item_proves_itself() -> None:
    play = Play(3).start().moves(20)
    previous = bytes(32)
    for record in play.records:
        item = msgspec.json.decode(msgspec.json.encode(audit_item(record.text, record.hash)))
        previous = hashlib.sha256(previous + item["record"].encode()).digest()
        assert item["hash"] == previous.hex()
        said = {key: value for key, value in item.items() if key not in {"hash", "record"}}
        told = msgspec.json.decode(item["record"])
        assert canonical(told) == item["record"]
        assert said == {key: told[key] for key in said}


def test_a_summary_says_where_the_game_stands_and_nobodys_points() -> None:
    play = Play(3).start().moves(30)
    document = msgspec.json.decode(summary_document(play.table))
    assert document["status"] == "running"
    assert document["seats"] == list(play.table.seats)
    assert document["awaiting"] == [play.table.game and play.table.game.awaiting[0].seat]
    assert "victory_points" not in str(document)


def test_turns_are_given_to_the_accounts_awaited_until_the_game_ends() -> None:
    play = Play(3).start()
    (account,) = turns = turn_documents(play.table)
    assert account == play.table.seats[0]
    assert msgspec.json.decode(turns[account])["decision"] == "choose_role"
    assert turn_documents(play.moves(10_000).table) == {}
