"""Chance (DESIGN 3): what docs/fair-draws.md promises is what the server does."""

import json
import re
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from shared.table.chance import Draws, commitment, draw_key, seating

DOCUMENT = (Path(__file__).parents[2] / "docs/fair-draws.md").read_text("utf-8")
KEY = bytes(32)


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)
    assert found, language
    return found.group(1)


@pytest.fixture
def vector() -> Any:
    return json.loads(block("json"))


def test_the_server_draws_the_published_vector(vector: Any) -> None:
    seed = bytes.fromhex(vector["seed"])
    key = draw_key(seed, vector["game_id"], vector["nonces"])
    draws = Draws(key)
    assert commitment(seed) == vector["seed_commitment"]
    assert key.hex() == vector["key"]
    assert [[k, n, draws(k, n)] for k, n, _ in vector["draws"]] == vector["draws"]
    assert seating(3, draws, first=0) == vector["seating"]


def test_the_published_code_draws_the_published_vector(vector: Any) -> None:
    published: dict[str, Any] = {}
    exec(block("python"), published)  # noqa: S102
    seed = bytes.fromhex(vector["seed"])
    key = published["draw_key"](seed, vector["game_id"], vector["nonces"])
    assert published["commitment"](seed) == vector["seed_commitment"]
    assert key.hex() == vector["key"]
    assert [[k, n, published["draw"](key, k, n)] for k, n, _ in vector["draws"]] == vector["draws"]


def test_every_nonce_and_the_order_of_joining_change_the_key() -> None:
    lists: tuple[list[str], ...] = (
        [],
        [""],
        ["", ""],
        ["a", "b"],
        ["b", "a"],
        ["ab"],
        ["a", "", "b"],
    )
    assert len({draw_key(KEY, "game", nonces) for nonces in lists}) == len(lists)


def test_all_outcomes_of_a_draw_are_equally_likely() -> None:
    draws = Draws(KEY)
    counts = Counter(draws(k, 6) for k in range(6000))
    assert set(counts) == set(range(6))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5  # chi², 0.1 %


def test_every_seating_can_come_up_and_takes_one_draw_fewer_than_players() -> None:
    asked: set[tuple[int, int]] = set()

    def seated(outcomes: tuple[int, int]) -> tuple[int, ...]:
        def scripted(k: int, n: int) -> int:
            asked.add((k, n))
            return outcomes[k - 5]

        return tuple(seating(3, scripted, first=5))

    assert {seated((a, b)) for a in range(3) for b in range(2)} == set(permutations(range(3)))
    assert asked == {(5, 3), (6, 2)}


def test_a_seed_or_a_nonce_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(bytes(31))
    with pytest.raises(ValueError, match="255 bytes"):
        draw_key(KEY, "game", ["é" * 128])
    assert draw_key(KEY, "game", ["é" * 127])
