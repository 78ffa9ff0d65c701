"""The state of a table as one viewer sees it. Keys as in CASES.md; hidden totals: Rules 10."""

from typing import Annotated, Final

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, json, to_builtins

from shared.engine.events import Score
from shared.engine.memory import PhaseMemory
from shared.engine.options import Options
from shared.engine.state import CargoShip, EndTrigger, Game, Plantations, Space, Supply, Window
from shared.engine.vocabulary import BuildingKey, Decision, Good, Role
from shared.table.state import Status, Table

Viewer = int | None
"""A seat, or a watcher."""
EVERYBODY: Final = -1
"""For a game that is nobody's: the viewer that every total is shown to."""


class Member(Struct, frozen=True):
    """Who has joined, in this order, with the nonce that goes into the draws."""

    account_id: str
    nonce: str


class Awaited(Struct, frozen=True):
    """A seat the game waits for. A move may name the `decision_id` it answers."""

    seat: int
    decision: Decision
    decision_id: str


class BuiltBuilding(Struct, frozen=True):
    """A building in a city."""

    building: BuildingKey
    colonists: int


class SeatState(Struct, frozen=True):
    """A player's board and what he holds."""

    seat: int
    account_id: str
    doubloons: int
    victory_points: Annotated[
        int | None,
        Meta(description="Points earned; null while hidden from the viewer (`hidden_points`)."),
    ]
    goods: dict[Good, int]
    san_juan: int
    island: Annotated[list[Space], Meta(description="In the order in which they were placed.")]
    city: Annotated[list[BuiltBuilding], Meta(description="In the order of building.")]
    doubled: Annotated[
        Role | None, Meta(description="Two players: the role a library has doubled this round.")
    ]


class PhaseState(Struct, frozen=True):
    """What the game remembers within a phase, a question to owners of guests, or a draft."""

    phase: PhaseMemory | None
    guests_asked: Window | None
    drafted: Annotated[
        list[BuildingKey] | None, Meta(description="The buildings picked while a draft lasts.")
    ]


class FinalScore(Struct, frozen=True):
    """A seat's final points (Rules 6)."""

    total: int
    victory_points: int
    buildings: int
    bonuses: Annotated[int, Meta(description="The sum of `bonus_by_building`.")]
    bonus_by_building: dict[BuildingKey, int]
    tie_break: Annotated[int, Meta(description="Doubloons and goods, for equal totals.")]


class State(Struct, kw_only=True):
    """A game as one viewer sees it. From `round` on the keys are absent until it has started."""

    id: str
    version: Annotated[int, Meta(description="The number of events so far.")]
    status: Status
    visibility: str
    created_by: str
    created_at: str
    updated_at: str
    options: Options
    rules_version: int
    seed_commitment: Annotated[str, Meta(description="SHA-256 of the seed, in hex.")]
    seed: Annotated[str | None, Meta(description="In hex, once the game is over.")]
    head_hash: Annotated[str, Meta(description="Hash of the last event, in hex.")]
    members: list[Member]
    seats: Annotated[tuple[str, ...], Meta(description="Account ids by seat, once started.")]
    awaiting: list[Awaited]
    finished: bool
    round: int | UnsetType = UNSET
    governor: int | UnsetType = UNSET
    turn: Annotated[
        int | UnsetType,
        Meta(description="The seat that takes a role now, or next after the phase being played."),
    ] = UNSET
    phase: Role | UnsetType | None = UNSET
    roles_taken: dict[Role, int] | UnsetType = UNSET
    role_doubloons: dict[Role, int] | UnsetType = UNSET
    players: list[SeatState] | UnsetType = UNSET
    supply: Supply | UnsetType = UNSET
    plantations: Plantations | UnsetType = UNSET
    cargo_ships: list[CargoShip] | UnsetType = UNSET
    trading_house: list[Good] | UnsetType = UNSET
    phase_state: PhaseState | UnsetType = UNSET
    next_draw: Annotated[
        int | UnsetType, Meta(description="The number of the next draw (docs/fair-draws.md).")
    ] = UNSET
    end_trigger: EndTrigger | UnsetType | None = UNSET
    scores: Annotated[
        dict[int, FinalScore] | UnsetType | None, Meta(description="By seat, once finished.")
    ] = UNSET
    winners: tuple[int, ...] | UnsetType = UNSET


def state_document(table: Table, viewer: Viewer) -> bytes:
    """The table as this seat, or a watcher, sees it; equal tables give equal bytes.

    Keys are sorted: a replayed table may hold its maps in another order than the one played.
    """
    return json.encode(to_builtins(state(table, viewer), str_keys=True, order="deterministic"))


def state_documents(table: Table) -> dict[Viewer, bytes]:
    """The same for all viewers, at less cost: they see most of it alike, which is written once."""
    shown = to_builtins(state(table, None), str_keys=True, order="deterministic")
    written = {key: Raw(json.encode(value)) for key, value in shown.items()}
    documents: dict[Viewer, bytes] = dict.fromkeys(
        (None, *range(len(table.seats))), json.encode(written)
    )
    if table.game is not None and _hides_points(table, 0, None):
        boards = [Raw(json.encode(board)) for board in shown["players"]]
        for seat, board in enumerate(shown["players"]):
            own = {**board, "victory_points": table.game.players[seat].victory_points}
            written["players"] = Raw(json.encode([*boards[:seat], own, *boards[seat + 1 :]]))
            documents[seat] = json.encode(written)
    return documents


def state(table: Table, viewer: Viewer) -> State:
    """The same, not yet written out. It shares its parts with the table."""
    shown = State(
        id=table.game_id,
        version=table.version,
        status=table.status,
        visibility=table.visibility,
        created_by=table.creator,
        created_at=table.created_at,
        updated_at=table.updated_at,
        options=table.options,
        rules_version=table.rules_version,
        seed_commitment=table.seed_commitment,
        seed=table.seed,
        head_hash=table.head_hash,
        members=[Member(member.account, member.nonce) for member in table.members],
        seats=table.seats,
        awaiting=awaiting(table),
        finished=table.status is Status.FINISHED,
    )
    if table.game is not None:
        _show_game(shown, table.game)
        shown.players = [_seat(table, seat, viewer) for seat in range(len(table.seats))]
    return shown


def awaiting(table: Table) -> list[Awaited]:
    """The seats a running game waits for; an aborted one waits for nobody."""
    if table.game is None or table.status is not Status.RUNNING:
        return []
    return [
        Awaited(asked.seat, asked.decision, f"{asked.seat}.{asked.version}")
        for asked in table.game.awaiting
    ]


def _show_game(shown: State, game: Game) -> None:
    shown.round = game.round
    shown.governor = game.governor
    shown.turn = game.next_to_choose()
    shown.phase = None if game.phase is None else game.phase.role
    shown.roles_taken = game.roles_taken
    shown.role_doubloons = game.role_doubloons
    shown.supply = game.supply
    shown.plantations = game.plantations
    shown.cargo_ships = game.cargo_ships
    shown.trading_house = game.trading_house
    shown.phase_state = PhaseState(game.phase, game.window, game.drafted)
    shown.next_draw = game.draws
    shown.end_trigger = game.end_trigger
    shown.scores = {score.seat: _final(score) for score in game.scores} or None
    shown.winners = game.winners


def _seat(table: Table, seat: int, viewer: Viewer) -> SeatState:
    assert table.game is not None
    player = table.game.players[seat]
    return SeatState(
        seat=seat,
        account_id=table.seats[seat],
        doubloons=player.doubloons,
        victory_points=None if _hides_points(table, seat, viewer) else player.victory_points,
        goods=player.goods,
        san_juan=player.san_juan,
        island=player.island,
        city=[BuiltBuilding(key, colonists) for key, colonists in player.city.items()],
        doubled=player.doubled,
    )


def _hides_points(table: Table, seat: int, viewer: Viewer) -> bool:
    """Totals are their owner's until the end, as chips lie face down at the table (Rules 10)."""
    return (
        table.options.hidden_points
        and table.status is Status.RUNNING
        and viewer not in (seat, EVERYBODY)
    )


def _final(score: Score) -> FinalScore:
    return FinalScore(
        total=score.total,
        victory_points=score.victory_points,
        buildings=score.buildings,
        bonuses=sum(score.bonuses.values()),
        bonus_by_building=score.bonuses,
        tie_break=score.tie_break,
    )
