"""All services at one origin: reads go to the query service, changes to the command service."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import Flask

from services.commands.app import create_app as create_commands
from services.queries.app import create_app as create_queries
from shared.config import Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

READS = frozenset({"GET", "HEAD", "OPTIONS"})
"""OPTIONS is answered from the route table, the same in every service."""


def both(settings: Settings) -> tuple[Flask, Flask]:
    """The command service's app and the query service's."""
    return create_commands(settings), create_queries(settings)


def create_app(settings: Settings | None = None) -> WSGIApplication:
    """Make both apps in one process, chosen between by method as a proxy would."""
    return at_one_origin(*both(settings or Settings.from_env()))


def at_one_origin(commands: Flask, queries: Flask) -> WSGIApplication:
    def one_origin(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        service = queries if environ["REQUEST_METHOD"] in READS else commands
        return service(environ, start_response)

    return one_origin
