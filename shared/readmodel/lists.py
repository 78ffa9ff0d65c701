"""Reading the lists: games by status, an account's games, the turns that await it."""

from collections.abc import Mapping

from msgspec import Struct
from redis import Redis

from shared.eventstore.store import EventStore
from shared.readmodel.generation import Generations
from shared.readmodel.keys import Keys
from shared.readmodel.scripts import script


class ListsIncomplete(Exception):
    """Redis has lost the lists, and they are being made again: try in a second."""


class Page(Struct, frozen=True):
    """Documents, newest game first. `next`, if any, is the `after` of the next page."""

    documents: list[bytes]
    next: str | None


class ListReader:
    """A page is one round trip. No list is shown before it has been complete."""

    def __init__(self, redis: Redis, store: EventStore) -> None:
        self._redis = redis
        self._store = store
        self._generations = Generations(redis)
        self._page = redis.register_script(script("page.lua"))
        self._complete = redis.register_script(script("complete.lua"))

    def page(self, name: str, after: str | None, limit: int) -> Page:
        """A page of the list named by `documents.public_list` and so on.

        Raises ListsIncomplete. `after` is a member of the list, once; it need not be one now.
        """
        keys = self._generations.live()
        names = [keys.list_checkpoints, keys.documents, keys.list_prefix + name]
        begin = "+" if after is None else f"({after}"
        complete, *found = self._page(names, [begin, limit + 1])
        if not complete:
            if not self.note_complete(keys, self._store.heads()):
                raise ListsIncomplete
            return self.page(name, after, limit)
        members, documents = found[0::2], found[1::2]
        is_last = len(members) <= limit
        return Page(documents[:limit], None if is_last else members[limit - 1].decode())

    def note_complete(self, keys: Keys, heads: Mapping[int, int]) -> bool:
        """Note, if it is so, that the lists hold all up to these heads, which the log once had."""
        return bool(self._complete([keys.list_checkpoints], [heads[part] for part in range(256)]))
