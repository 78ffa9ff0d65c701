"""Structured logs: one JSON object a line on standard error, of every process and library."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO, cast

import structlog
from msgspec.json import encode

_SHARED: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]


def _json(event: object, default: Callable[[object], object]) -> str:
    return encode(event, enc_hook=default).decode()


_RENDER = structlog.processors.JSONRenderer(_json)


class _StandardError:
    """Loses a line rather than the request it tells of: a log's disk may be full."""

    def write(self, text: str) -> None:
        with suppress(OSError):
            sys.stderr.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            sys.stderr.flush()


_STANDARD_ERROR = cast(TextIO, _StandardError())


class _Lines(structlog.WriteLogger):
    """Writes our own lines itself: by way of the standard library they cost twice as much."""

    def __init__(self, name: str) -> None:
        super().__init__(_STANDARD_ERROR)
        self.name = name


class _JsonHandler(logging.StreamHandler):  # type: ignore[type-arg]
    """Its class tells it from handlers that others have put on the root logger."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self.setFormatter(
            structlog.stdlib.ProcessorFormatter(
                foreign_pre_chain=_SHARED,
                processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _RENDER],
            )
        )


def configure(level: str) -> None:
    """Give structlog's and the standard library's logs one form; may be called again."""
    structlog.configure(
        processors=[*_SHARED, _RENDER],
        logger_factory=_Lines,
        wrapper_class=structlog.make_filtering_bound_logger(level),
    )
    root = logging.getLogger()
    root.setLevel(level)
    if not any(isinstance(handler, _JsonHandler) for handler in root.handlers):
        root.addHandler(_JsonHandler())
