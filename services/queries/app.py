"""Builds the query service."""

from __future__ import annotations

from flask import Flask

from services.queries import accounts, games, lists, rules, shelf
from services.queries.docs import docs
from services.queries.door import ReadingDoor
from shared.config import Settings
from shared.http.app import base_app
from shared.http.door import put_before

BLUEPRINTS = (accounts.blueprint, games.blueprint, lists.blueprint, rules.blueprint)


def create_app(settings: Settings | None = None) -> Flask:
    """Make the app; settings come from the environment unless they are given."""
    app, api = base_app("queries", settings or Settings.from_env())
    shelf.install(app)
    for blueprint in BLUEPRINTS:
        api.register_blueprint(blueprint)
    app.register_blueprint(docs)
    put_before(app, ReadingDoor)
    return app
