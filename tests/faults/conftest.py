"""A rig for all tests that leave it as they found it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from random import Random

import pytest

from tests.faults.bots import Journal, Player
from tests.faults.rig import Rig, rig
from tests.faults.room import Plan

NewPlayers = Callable[[int], list[Player]]


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    with rig(Plan.beneath(tmp_path_factory.mktemp("rig"))) as up:
        yield up


@pytest.fixture
def new_players(running: Rig) -> Iterator[NewPlayers]:
    with ExitStack() as exits:

        def make(number: int) -> list[Player]:
            made = [Player(running.up, Journal(), Random(seat)) for seat in range(number)]
            return [exits.enter_context(closing(player)) for player in made]

        yield make
