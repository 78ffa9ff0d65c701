"""Traces that lead from a request to its projection: off, and free, unless OTEL_* asks for them.

Switched on by OpenTelemetry's own variables: OTEL_EXPORTER_OTLP_ENDPOINT (or ..._TRACES_ENDPOINT),
or OTEL_TRACES_EXPORTER=otlp; off again by OTEL_TRACES_EXPORTER=none or OTEL_SDK_DISABLED=true. On
they need the extra `otel`, and make a request two to four times as expensive.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from flask import Flask

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


class Traces(Protocol):
    """What the services tell of."""

    def watch(self, app: Flask) -> None:
        """Tell of every request of this app."""

    def traceparent(self) -> str | None:
        """Say what goes on here, in the form of W3C's header, for who goes on elsewhere."""

    def following(
        self, name: str, part: int, traceparent: str | None, /
    ) -> AbstractContextManager[None]:
        """Tell of what is done within, as a consequence of that."""


class Off:
    """Nothing is told."""

    def watch(self, app: Flask) -> None:
        """Leave it as it is."""

    def traceparent(self) -> None:
        return None

    def following(self, *_: object) -> AbstractContextManager[None]:
        return nullcontext()


@cache
def traces() -> Traces:
    """Return the process's own; nothing of OpenTelemetry is imported unless it is wanted."""
    if not are_wanted(os.environ):
        return Off()
    try:
        from shared.otel import OpenTelemetry  # noqa: PLC0415
    except ImportError as error:
        raise RuntimeError(
            "OTEL_* asks for traces, which need the extra `otel`: `make setup` installs it in a"
            " checkout, and an image is built with it by `--build-arg LOCK=requirements.lock`."
        ) from error
    return OpenTelemetry()


def are_wanted(env: Mapping[str, str]) -> bool:
    if env.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    exporter = env.get("OTEL_TRACES_EXPORTER")
    return exporter == "otlp" or (not exporter and any(map(env.get, _ENDPOINTS)))
