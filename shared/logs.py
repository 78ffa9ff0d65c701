"""Structured logs: one JSON object a line on standard error, of every process and library."""

from __future__ import annotations

import logging
import sys

import structlog

_SHARED: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]


class _JsonHandler(logging.StreamHandler):  # type: ignore[type-arg]
    """Its class tells it from handlers that others have put on the root logger."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self.setFormatter(
            structlog.stdlib.ProcessorFormatter(
                foreign_pre_chain=_SHARED,
                processors=[
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.JSONRenderer(),
                ],
            )
        )


def configure(level: str) -> None:
    """Send structlog's and the standard library's logs the same way; may be called again."""
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    root = logging.getLogger()
    root.setLevel(level)
    if not any(isinstance(handler, _JsonHandler) for handler in root.handlers):
        root.addHandler(_JsonHandler())
