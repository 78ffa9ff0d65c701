"""A simple player: any legal move, chosen by a seed. It knows only what the API shows its seat."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any

Document = dict[str, Any]
Move = dict[str, Any]

_NOT_THE_POSITION = {
    "id", "version", "head_hash", "created_at", "updated_at", "created_by", "members", "seats",
    "seed_commitment", "seed", "awaiting",
}  # fmt: skip
"""What a state says besides the position: it differs from game to game."""


def choose(seed: int, state: Document, legal: Document) -> Move:
    """The same seed, position and legal moves give the same move."""
    random = Random(_digest(seed, state, legal))
    moves: list[Move] = list(legal["moves"])
    openings: list[Document] = legal["open_moves"]
    place = random.randrange(len(moves) + len(openings))
    if place < len(moves):
        return moves[place]
    return fill(random, openings[place - len(moves)])


def fill(random: Random, open_move: Document) -> Move:
    """A move with arguments of one's own choice."""
    match open_move["type"]:
        case "place_colonists":
            return _arrangement(random, open_move)
        case "load_small_wharf":
            goods = {good: random.randint(0, held) for good, held in open_move["goods"].items()}
            move = {"type": "load_small_wharf", "goods": {g: n for g, n in goods.items() if n}}
            return move if move["goods"] else open_move["example"]
        case "move_guests":
            places: list[object] = [*open_move["island"], *open_move["city_circles"]]
            return {"type": "move_guests", "guests": [{"to": random.choice(places)}]}
        case _:
            example: Move = open_move["example"]
            return example


def _arrangement(random: Random, open_move: Document) -> Move:
    circles: list[int | str] = [
        index for index, circle in enumerate(open_move["island_circles"]) if circle
    ]
    for building, count in open_move["city_circles"].items():
        circles += [building] * count
    random.shuffle(circles)
    chosen = circles[: open_move["colonists"]]
    return {
        "type": "place_colonists",
        "island": [chosen.count(index) for index in range(len(open_move["island_circles"]))],
        "city": {name: chosen.count(name) for name in open_move["city_circles"]},
    }


def _digest(seed: int, state: Document, legal: Document) -> bytes:
    position = dict(_position(state))
    offered = {"moves": legal["moves"], "open_moves": legal["open_moves"]}
    text = json.dumps([seed, position, offered], sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).digest()


def _position(state: Document) -> Iterator[tuple[str, object]]:
    for key, value in state.items():
        if key == "players":
            players = [{k: v for k, v in p.items() if k != "account_id"} for p in value]
            yield key, players
        elif key not in _NOT_THE_POSITION:
            yield key, value
