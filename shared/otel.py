"""Traces by OpenTelemetry, imported only where they are wanted (shared/tracing.py)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from opentelemetry import propagate, trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.flask import FlaskInstrumentor
from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
from opentelemetry.instrumentation.redis import RedisInstrumentor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind

_NOT_WATCHED = "healthz,readyz,metrics"


class _Stories(BatchSpanProcessor):
    """Leaves out calls of a server outside of any request or drain: polling is no story."""

    def on_end(self, span: ReadableSpan) -> None:
        if span.parent is not None or span.kind is not SpanKind.CLIENT:
            super().on_end(span)


class OpenTelemetry:
    """Where to and how much: the variables of OpenTelemetry say it."""

    def __init__(self) -> None:
        named = "OTEL_SERVICE_NAME" in os.environ
        resource = Resource.create() if named else Resource.create({"service.name": "puertorico"})
        provider = TracerProvider(resource=resource)
        provider.add_span_processor(_Stories(OTLPSpanExporter()))
        trace.set_tracer_provider(provider)
        PsycopgInstrumentor().instrument()
        RedisInstrumentor().instrument()
        self._tracer = trace.get_tracer(__name__)

    def watch(self, app: Flask) -> None:
        FlaskInstrumentor.instrument_app(  # type: ignore[no-untyped-call]
            app, response_hook=_note_request_id, excluded_urls=_NOT_WATCHED
        )

    def traceparent(self) -> str | None:
        carrier: dict[str, str] = {}
        propagate.inject(carrier)
        return carrier.get("traceparent")

    @contextmanager
    def following(self, name: str, part: int, traceparent: str | None) -> Iterator[None]:
        cause = propagate.extract({"traceparent": traceparent} if traceparent else {})
        attributes = {"puertorico.part": part}
        with self._tracer.start_as_current_span(name, cause, SpanKind.CONSUMER, attributes):
            yield


def _note_request_id(span: Span, _status: str, headers: list[tuple[str, str]]) -> None:
    """The log line and the events of a request have it too."""
    if request_id := dict(headers).get("X-Request-Id"):
        span.set_attribute("puertorico.request_id", request_id)
