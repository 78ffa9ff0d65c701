"""The embedded Valkey (or Redis): its configuration written, its server described and awaited."""

from __future__ import annotations

import redis

from services.stack.binaries import redis_server
from services.stack.data_directory import DataDirectory, write_private
from services.stack.process import Program


class EmbeddedValkey:
    """A server for 127.0.0.1 alone that keeps an append-only file and evicts nothing."""

    def __init__(self, data: DataDirectory, port: int) -> None:
        self._data = data
        self._port = port
        self._folder = data.path / "valkey"
        self._password = data.passwords().valkey

    def url(self) -> str:
        return f"redis://:{self._password}@127.0.0.1:{self._port}/0"

    def prepare(self) -> None:
        """Write the configuration; in a file the password is not seen among the processes."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        settings = {
            "bind": "127.0.0.1",
            "port": str(self._port),
            "requirepass": self._password,
            "dir": f'"{self._folder}"',
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": '""',
            "loglevel": "warning",
            "maxmemory-policy": "noeviction",
        }
        lines = (f"{key} {value}\n" for key, value in settings.items())
        write_private(self._folder / "valkey.conf", "".join(lines))

    def program(self) -> Program:
        return Program(
            name="Valkey",
            argv=[redis_server(), self._folder / "valkey.conf"],
            log=self._data.path / "valkey.log",
            keeps_open=(self._data.lock,),
        )

    def is_ready(self) -> bool:
        """Whether it answers; while it loads its file it does not."""
        try:
            with redis.Redis.from_url(self.url()) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False
