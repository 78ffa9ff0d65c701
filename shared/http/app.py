"""The Flask app that both services start from, with everything that is the same in both."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from typing import Any, Literal

import flask_smorest
from apispec import APISpec
from apispec_oneofschema import MarshmallowPlugin
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix

from shared import logs
from shared.config import Settings
from shared.eventstore.pool import Pool, Role
from shared.eventstore.store import EventStore
from shared.http import admission, errors, headers, limits, observe
from shared.http.blueprint import INVALID_RESPONSE, Blueprint
from shared.http.documents import MOVE, components
from shared.http.fields import map_keys
from shared.http.health import health
from shared.http.json_body import MAX_BYTES
from shared.http.move_schemas import MoveSchema
from shared.http.problems import MEDIA_TYPE, Problem
from shared.http.requested import requested
from shared.http.resources import Resources, provide, redis_at
from shared.http.schemas import ProblemSchema
from shared.http.tokens import TokenDirectory
from shared.tracing import traces

ServiceName = Literal["commands", "queries"]

_POOL_SIZE = 16
"""At least the threads of a worker, so that none waits for another's connection."""


class Service(Flask):
    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Take each as it is: Flask would ask, request for request, if it is a coroutine."""
        return func


class Api(flask_smorest.Api):  # type: ignore[misc]
    """Writes the specification; every operation may be refused with a problem document."""

    ERROR_SCHEMA = ProblemSchema
    DEFAULT_ERROR_RESPONSE_NAME = "Problem"

    def register_blueprint(self, blueprint: Blueprint, **options: Any) -> None:
        """Describe the documents that the blueprint's views write out or read, too."""
        described = {**components(blueprint.documents), **requested(blueprint.requested)}
        for name, schema in described.items():
            if name not in self.spec.components.schemas:
                self.spec.components.schema(name, schema)
        super().register_blueprint(blueprint, **options)

    def handle_http_exception(self, error: HTTPException) -> Response | HTTPException:
        if error.code is not None and error.code < 400:
            return error
        return errors.answer_http_exception(error)

    def _register_responses(self) -> None:
        self.spec.components.schema("Problem", schema=ProblemSchema)
        self.spec.components.schema(MOVE, schema=MoveSchema)
        for name, description in {
            self.DEFAULT_ERROR_RESPONSE_NAME: "Refused; `code` says why.",
            INVALID_RESPONSE: "`invalid`: The request does not fit its schema.",
        }.items():
            content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
            response = {"description": description, "content": content}
            self.spec.components.response(name, response, lazy=True)

    def _register_pagination_header(self) -> None:
        """Leave it out: lists here have cursors in their bodies."""


class _Schemas(MarshmallowPlugin):  # type: ignore[misc]
    """Describes marshmallow's schemas; what apispec leaves out, too."""

    def init_spec(self, spec: APISpec) -> None:
        super().init_spec(spec)
        self.converter.add_attribute_function(map_keys)


def base_app(name: ServiceName, settings: Settings) -> tuple[Flask, Api]:
    """Make a service's app without its blueprints. Connects to nothing until the first request."""
    logs.configure(settings.log_level)
    app = Service(name, static_folder=None)
    # One byte more, since Werkzeug cuts a body of unannounced length off there without a word.
    app.config["MAX_CONTENT_LENGTH"] = MAX_BYTES + 1
    app.url_map.merge_slashes = False  # an address is right or wrong; no redirects
    app.json.sort_keys = False  # type: ignore[attr-defined]
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        proxied = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)
        app.wsgi_app = proxied  # type: ignore[method-assign]

    provide(app, _connect(name, settings))
    traces().watch(app)
    observe.install(app, name)
    headers.install(app)
    app.before_request(_refuse_large)
    admission.install(app)
    errors.install(app)
    app.register_blueprint(health)
    return app, _api(app)


def _connect(name: ServiceName, settings: Settings) -> Resources:
    pool = Pool(settings.database_url, Role(f"puertorico_{name}"), _POOL_SIZE)
    atexit.register(pool.close)  # its threads must end while gevent can still switch to them
    redis = redis_at(settings.redis_url)
    return Resources(
        pool=pool,
        store=EventStore(pool),
        redis=redis,
        tokens=TokenDirectory(redis, pool),
        limits=limits.RateLimits(redis, limits.quotas(settings.rate_limits)),
    )


def _api(app: Flask) -> Api:
    api = Api(
        app,
        spec_kwargs={
            "title": "Puerto Rico",
            "version": "1.0.0",
            "openapi_version": "3.1.0",
            "marshmallow_plugin": _Schemas(),
        },
    )
    api.spec.components.security_scheme(
        "bearer",
        {"type": "http", "scheme": "bearer", "description": "A token from `POST /v1/tokens`."},
    )
    return api


def _refuse_large() -> None:
    """Refuse by the announced length, whether or not a view would read the body."""
    if (request.content_length or 0) > MAX_BYTES:
        raise Problem("body_too_large")
