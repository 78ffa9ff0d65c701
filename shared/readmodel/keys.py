"""The names of all keys. Those of a part share a hash slot, and so do those of the lists."""

from uuid import UUID

from msgspec import Struct

from shared.eventstore.records import part_of

LIVE = "generation"
"""Holds the name of the generation that is read; absent for the first one."""
FIRST_GENERATION = "0"
MARKS = "wake:marks"
"""Parts that were committed to and wait for a worker, the oldest first."""
CALLED = "wake:called"
"""Set while a worker is on its way to the marks, or at work on them."""


class Keys(Struct, frozen=True):
    """The keys of one generation of read models."""

    generation: str

    def checkpoint(self, part: int) -> str:
        """The last position of the part that the games' documents hold."""
        return self._of_part(part, "checkpoint")

    def attempts(self, part: int) -> str:
        """How often the events after the checkpoint were begun, and up to which position."""
        return self._of_part(part, "attempts")

    def alone(self, part: int) -> str:
        """Held by who handles a suspect event, so that its attempts are counted right."""
        return self._of_part(part, "alone")

    def game(self, game_id: UUID) -> str:
        return self._of_part(part_of(game_id), f"game:{game_id}")

    @property
    def list_checkpoints(self) -> str:
        """The position of every part in the lists, and whether they were complete once."""
        return self._of_lists("checkpoints")

    @property
    def placed(self) -> str:
        """By game, the version that the lists show and where they show it."""
        return self._of_lists("placed")

    @property
    def documents(self) -> str:
        """By member of any list, its document."""
        return self._of_lists("documents")

    @property
    def list_prefix(self) -> str:
        """What stands before the name of each list."""
        return self._of_lists("list:")

    def patterns(self) -> list[str]:
        """Match every key of this generation and no other."""
        return [f"{{p*}}:g{self.generation}:*", self._of_lists("*")]

    def has(self, key: bytes) -> bool:
        """Whether this key of a read model is one of this generation."""
        return f":g{self.generation}:".encode() in key

    def _of_part(self, part: int, name: str) -> str:
        return f"{{p{part}}}:g{self.generation}:{name}"

    def _of_lists(self, name: str) -> str:
        return f"{{lists}}:g{self.generation}:{name}"


ALL_GENERATIONS = Keys("*")
"""For their patterns."""
