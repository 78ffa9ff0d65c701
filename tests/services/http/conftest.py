"""What this process sends to Redis, whose own counts are those of all tests that run."""

from __future__ import annotations

from typing import Any

import pytest
from redis.connection import Connection


@pytest.fixture
def sent_to_redis(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Everything that is sent, one entry for each round trip."""
    sent: list[object] = []
    send: Any = Connection.send_packed_command

    def noting(self: Connection, command: object, *args: Any, **kwargs: Any) -> Any:
        sent.append(command)
        return send(self, command, *args, **kwargs)

    monkeypatch.setattr(Connection, "send_packed_command", noting)
    return sent
