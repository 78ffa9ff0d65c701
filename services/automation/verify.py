"""puertorico verify: a game's audit trail is checked by whoever may read it, trusting nobody.

Everything is worked out here from the events: the chain of hashes, whether the trail shows what is
hashed, and, once the seed is revealed, every draw (docs/fair-draws.md).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from string import hexdigits
from uuid import UUID

import httpx
import msgspec

from services.automation import address
from services.automation.client import COMMAND_SECONDS, ApiError, Client, Document, audit_trail
from services.automation.failing import failure
from shared.eventstore.fairness import recompute_draws
from shared.eventstore.records import Record, part_of, read_envelope
from shared.eventstore.verify import verify_chain
from shared.views.audit import audit_item

_HASH_DIGITS = 64


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", type=UUID, help="the id of the game")
    address.configure(parser)
    parser.add_argument("--token", help="a member's token, for a private game")
    parser.add_argument(
        "--head", type=_hash, help="a hash (`head_hash`) noted earlier: it must be in the chain"
    )


def _hash(text: str) -> str:
    """As the API writes it: no game must be doubted for what is no hash at all."""
    digits = text.lower()
    if len(digits) != _HASH_DIGITS or set(digits) - set(hexdigits):
        raise argparse.ArgumentTypeError(f"it is {_HASH_DIGITS} hexadecimal digits")
    return digits


def run(arguments: argparse.Namespace) -> int:
    client = Client(arguments.url, arguments.token)
    client.patience = COMMAND_SECONDS
    try:
        items = list(audit_trail(client, str(arguments.game)))
        for line in verify(arguments.game, items, arguments.head):
            print(line)
    except httpx.TransportError as error:
        return failure(address.unanswered(arguments.url, error))
    except ApiError as error:
        return failure(str(error))
    except Falsified as error:
        return failure(f"This game's log is not to be trusted: {error}")
    finally:
        client.close()
    return 0


class Falsified(Exception):
    """The trail is not what was written at first; the message says where and why."""


def verify(game_id: UUID, items: Sequence[Document], head: str | None = None) -> list[str]:
    """What was found to be right, in sentences. Raises Falsified."""
    with _doubting():
        records = [_record(game_id, item) for item in items]
    if not records:
        raise Falsified("there are no events.")
    if broken := verify_chain(records):
        raise Falsified(f"event {broken.version}: {broken.reason}.")
    if head and head not in {record.hash.hex() for record in records}:
        raise Falsified(f"the hash {head} is not in the chain any more.")
    with _doubting():
        recomputed = recompute_draws(records)
    if recomputed and recomputed.unfair:
        raise Falsified(f"event {recomputed.unfair.version}: {recomputed.unfair.reason}.")
    chain = f"The chain is whole: {len(records)} events, the last hash {records[-1].hash.hex()}."
    if recomputed is None:
        return [chain, "The draws can be recomputed when the seed is revealed, at the game's end."]
    return [chain, f"All {recomputed.draws} draws follow from the seed and the players' nonces."]


@contextmanager
def _doubting() -> Iterator[None]:
    """Whatever a made-up trail does to the code that reads it gives it away."""
    try:
        yield
    except Falsified:
        raise
    except Exception as error:
        raise Falsified(f"the events cannot be read: {error!r}.") from error


def _record(game_id: UUID, item: Document) -> Record:
    """The item as a record, if it shows nothing but what its text says."""
    text, hash_ = item["record"], bytes.fromhex(item["hash"])
    if msgspec.json.decode(msgspec.json.encode(audit_item(text, hash_))) != item:
        raise Falsified(f"event {item['version']} is shown otherwise than it was written.")
    said = read_envelope(text)
    return Record(
        part=part_of(game_id),
        seq=0,  # its place among the events of all games, which is not public
        game_id=game_id,
        version=said.version,
        command_id=bytes.fromhex(said.command_id),
        command_ix=said.command_ix,
        type=said.type,
        text=text,
        hash=hash_,
        recorded_at=said.time,
    )
