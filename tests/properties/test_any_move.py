"""Whatever a client sends is a move, or is refused: nothing else can come of it."""

from __future__ import annotations

import random
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.engine import Game, RuleViolation, play, set_up
from shared.engine.commands import AnyCommand
from shared.engine.vocabulary import BuildingKey, Good, Role, Tile
from shared.table.chance import Draws
from shared.wire.moves import MalformedMove, decode_move
from tests.properties.options import any_options
from tests.properties.player import any_command

TYPES = [kind.__struct_config__.tag for kind in AnyCommand.__args__]
KEYS = sorted({name for kind in AnyCommand.__args__ for name in kind.__struct_fields__})
WORDS = [*Good, *Role, *Tile, *BuildingKey, "san_juan", "", "\0", "nobody"]

scalars = st.none() | st.booleans() | st.integers(-2, 13) | st.integers() | st.sampled_from(WORDS)
values = st.recursive(
    scalars | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*KEYS, *WORDS, "to", "colonist"]), inner, max_size=4)
    ),
    max_leaves=6,
)
moves = st.fixed_dictionaries({"type": st.sampled_from(TYPES)}).flatmap(
    lambda move: st.dictionaries(st.sampled_from([*KEYS, "x"]), values, max_size=3).map(
        lambda rest: {**rest, **move}
    )
)


@cache
def somewhere(seed: int) -> tuple[Game, Draws]:
    """A moment in the middle of a random game; who changes it works on a clone."""
    rng, draw = random.Random(seed), Draws(seed.to_bytes(32, "big"))
    players = rng.randint(2, 5)
    game = set_up(players, any_options(rng, players), draw).game
    for _ in range(rng.randint(0, 120)):
        seat = rng.choice(game.awaiting).seat
        play(game, seat, any_command(rng, game, seat), draw)
    return game, draw


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.integers(0, 40), st.lists(moves, min_size=1, max_size=12), st.integers(0, 4))
def test_a_document_is_a_move_or_is_refused(
    seed: int, documents: list[dict[str, object]], seat: int
) -> None:
    before, draw = somewhere(seed)
    for document in documents:
        game = before.clone()
        try:
            play(game, seat % len(game.players), decode_move(document), draw)
        except (MalformedMove, RuleViolation):
            assert game == before
