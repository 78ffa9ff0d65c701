"""Flags for the options of a game."""

from __future__ import annotations

import argparse

import msgspec
import pytest

from services.automation import game_options
from shared.engine.options import Options
from shared.engine.vocabulary import BuildingKey

WHARF, HARBOR = BuildingKey.WHARF, BuildingKey.HARBOR
HACIENDA, FOREST_HOUSE = BuildingKey.HACIENDA, BuildingKey.FOREST_HOUSE


def parsed(*flags: str) -> Options:
    parser = argparse.ArgumentParser(exit_on_error=False)
    game_options.configure(parser)
    return msgspec.convert(game_options.chosen(parser.parse_args(flags)), Options)


def test_without_flags_the_server_chooses() -> None:
    parser = argparse.ArgumentParser()
    game_options.configure(parser)
    assert game_options.chosen(parser.parse_args([])) == {}


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ("--buildings draft", Options(buildings="draft")),
        (
            "--buildings custom --custom-buildings wharf harbor",
            Options(buildings="custom", custom_buildings=(WHARF, HARBOR)),
        ),
        (
            "--never-together hacienda forest_house --never-together wharf harbor",
            Options(never_together=((HACIENDA, FOREST_HOUSE), (WHARF, HARBOR))),
        ),
        ("--no-hidden-points", Options(hidden_points=False)),
        ("--placement at_once", Options(placement="at_once")),
        ("--points-supply 126", Options(points_supply="126")),
        ("--corn-start one_less", Options(corn_start="one_less")),
        ("--swap-factory-university", Options(swap_factory_university=True)),
        ("--seating as_joined", Options(seating="as_joined")),
    ],
)
def test_each_option_has_a_flag(flags: str, options: Options) -> None:
    assert parsed(*flags.split()) == options


def test_no_option_is_without_a_flag() -> None:
    parser = argparse.ArgumentParser()
    game_options.configure(parser)
    assert {field.name for field in msgspec.structs.fields(Options)} <= set(
        vars(parser.parse_args([]))
    )
