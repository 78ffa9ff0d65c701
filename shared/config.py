"""Settings of every service, read from the environment in this one place."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self


class MissingSettingError(Exception):
    """A setting without a default is absent; the message names the variable."""

    def __init__(self, variable: str) -> None:
        super().__init__(f"The environment variable {variable} is not set.")


@dataclass(frozen=True)
class Settings:
    """Where the servers are and how to speak of oneself.

    The URLs hold passwords, so they are left out of `repr`. One `DATABASE_URL` serves all services:
    each connects with it and takes its own role (`-c role=puertorico_commands` and so on), so that
    the database enforces what each may do.
    """

    database_url: str = field(repr=False)
    redis_url: str = field(repr=False)
    queue_url: str = field(repr=False)
    """The Redis of RQ; it may be another one than the read models', which may be a cluster."""
    log_level: str = "INFO"
    public_url: str = "http://127.0.0.1:8000"
    """The address clients use, without a slash at the end."""
    rate_limits: str = ""
    """Changes to the quotas of `shared/http/limits.py`, such as `register=10/3600`."""
    trusted_proxies: int = 0
    """How many proxies in a row stand before the services; that many X-Forwarded-* are believed."""
    metrics_port: int | None = None
    """Where worker and sweeper show their metrics, if they share no folder with a web service."""

    @classmethod
    def from_env(cls, env: Mapping[str, str] = os.environ) -> Self:
        """Read the variables named like the fields, in capitals: `DATABASE_URL` and so on."""
        redis_url = _required(env, "REDIS_URL")
        return cls(
            database_url=_required(env, "DATABASE_URL"),
            redis_url=redis_url,
            queue_url=env.get("QUEUE_URL") or redis_url,
            log_level=(env.get("LOG_LEVEL") or cls.log_level).upper(),
            public_url=(env.get("PUBLIC_URL") or cls.public_url).rstrip("/"),
            rate_limits=env.get("RATE_LIMITS", cls.rate_limits),
            trusted_proxies=int(env.get("TRUSTED_PROXIES") or cls.trusted_proxies),
            metrics_port=int(env["METRICS_PORT"]) if env.get("METRICS_PORT") else None,
        )


def _required(env: Mapping[str, str], variable: str) -> str:
    if value := env.get(variable):
        return value
    raise MissingSettingError(variable)
