"""Builds the command service."""

from __future__ import annotations

from flask import Flask

from services.commands import accounts, analysis, desk, lobby, moves, seating, tokens
from services.commands.door import MovingDoor
from shared.config import Settings
from shared.http.app import base_app
from shared.http.door import put_before

BLUEPRINTS = (
    accounts.blueprint,
    tokens.blueprint,
    lobby.blueprint,
    seating.blueprint,
    moves.blueprint,
    analysis.blueprint,
)


def create_app(settings: Settings | None = None) -> Flask:
    """Make the app; settings come from the environment unless they are given."""
    settings = settings or Settings.from_env()
    app, api = base_app("commands", settings)
    desk.install(app, settings)
    for blueprint in BLUEPRINTS:
        api.register_blueprint(blueprint)
    put_before(app, MovingDoor)
    return app
