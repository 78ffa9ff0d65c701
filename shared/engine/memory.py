"""What the game remembers while a phase lasts; it dies with the phase."""

from msgspec import Struct

from shared.engine.vocabulary import BuildingKey, Good, Role, Tile


class Phase(Struct, tag_field="kind"):
    """Base: the role being played and the seat that took it."""

    role: Role
    taker: int


class Settling(Phase, tag="settling"):
    """Rules 4.1."""

    drew: bool = False
    """Whether the seat now asked has drawn a face-down tile."""
    drawn: Tile | None = None
    """The tile drawn and not yet placed."""
    leftover: bool = False
    """Whether all have taken and the settler is offered what is left."""

    def clone(self) -> "Settling":
        return Settling(self.role, self.taker, self.drew, self.drawn, self.leftover)


class Arranging(Phase, tag="arranging"):
    """Rules 4.2."""

    privilege_declined: bool = False

    def clone(self) -> "Arranging":
        return Arranging(self.role, self.taker, self.privilege_declined)


class Constructing(Phase, tag="constructing"):
    """Rules 4.3."""

    def clone(self) -> "Constructing":
        return Constructing(self.role, self.taker)


class Crafting(Phase, tag="crafting"):
    """Rules 4.4."""

    produced: dict[int, dict[Good, int]] = {}
    """What each seat has produced, by seat."""
    extra_taken: int = 0

    def clone(self) -> "Crafting":
        produced = {seat: dict(goods) for seat, goods in self.produced.items()}
        return Crafting(self.role, self.taker, produced, self.extra_taken)


class Trading(Phase, tag="trading"):
    """Rules 4.5."""

    def clone(self) -> "Trading":
        return Trading(self.role, self.taker)


class Loading(Phase, tag="loading"):
    """Rules 4.6, until nobody loads any more."""

    idle_turns: int = 0
    """Turns in a row without a load."""
    had_turn: list[int] = []
    """Seats that have ended their first turn."""
    private_ships_used: dict[int, list[BuildingKey]] = {}
    privilege_used: bool = False

    def clone(self) -> "Loading":
        used = {seat: list(ships) for seat, ships in self.private_ships_used.items()}
        return Loading(
            self.role, self.taker, self.idle_turns, list(self.had_turn), used, self.privilege_used
        )


class Storing(Phase, tag="storing"):
    """Rules 4.6, after the loading."""

    def clone(self) -> "Storing":
        return Storing(self.role, self.taker)


class Prospecting(Phase, tag="prospecting"):
    """Rules 4.7."""

    def clone(self) -> "Prospecting":
        return Prospecting(self.role, self.taker)


PhaseMemory = (
    Settling | Arranging | Constructing | Crafting | Trading | Loading | Storing | Prospecting
)
