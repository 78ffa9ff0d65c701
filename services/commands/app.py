"""Builds the command service."""

from __future__ import annotations

from flask import Flask

from services.commands import accounts, tokens
from shared.config import Settings
from shared.http.app import base_app

BLUEPRINTS = (accounts.blueprint, tokens.blueprint)


def create_app(settings: Settings | None = None) -> Flask:
    """Make the app; settings come from the environment unless they are given."""
    app, api = base_app("commands", settings or Settings.from_env())
    for blueprint in BLUEPRINTS:
        api.register_blueprint(blueprint)
    return app
