"""What stands around a view that asks who calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shared.http.auth import identifies, requires

Guard = Callable[[Callable[[], str]], Any]


@pytest.mark.parametrize("guard", [requires("account"), requires(None), identifies("games:read")])
def test_a_guarded_view_is_called_by_its_guard_and_nothing_in_between(guard: Guard) -> None:
    def view() -> str:
        return "seen"

    guarded = guard(view)
    assert guarded.__wrapped__ is view
    assert "bearer" in str(guarded._apidoc["manual_doc"]["security"])
