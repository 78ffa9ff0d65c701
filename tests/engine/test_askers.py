"""Every decision has somebody who offers, checks and does it."""

from shared.engine.decide import ASKERS
from shared.engine.phases import PHASES
from shared.engine.vocabulary import Decision


def test_every_decision_is_somebodys() -> None:
    assert set(ASKERS) == set(Decision)


def test_every_phase_that_asks_is_among_them() -> None:
    silent = [phase for phase in PHASES.values() if phase not in ASKERS.values()]
    assert [getattr(phase, "__name__", "") for phase in silent] == [
        "shared.engine.phases.prospector"
    ]
