"""A projector as one writes it first: a job per event, and no checkpoint. It must fail our check.

`python -m tests.faults.naive` is its worker. Its read models are a generation of their own.
"""

from __future__ import annotations

from uuid import UUID

from flask import Flask, Response
from redis import Redis
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from services.commands.app import create_app as create_commands
from services.projector.wiring import from_environment
from shared.config import Settings
from shared.eventstore.fold import fold
from shared.eventstore.records import NewRecord, part_of, read_envelope
from shared.readmodel.documents import game_hash, places
from shared.readmodel.keys import Keys
from shared.readmodel.writer import Placement, Writer
from shared.wire.tables import decode_table

KEYS = Keys("naive")


def naive_queue(connection: Redis) -> Queue:
    return Queue("naive", connection=connection, serializer=JSONSerializer)


def create_app() -> Flask:
    """The command service, which tells the queue of each event after the commit."""
    app = create_commands()
    vars(app).pop("wsgi_app")  # the door, behind which no answer would be seen here
    queue = naive_queue(Redis.from_url(Settings.from_env().queue_url))

    def tell(answer: Response) -> Response:
        document = answer.get_json(silent=True) if answer.status_code < 300 else None
        if "Idempotent-Replayed" not in answer.headers and document and "events" in document:
            for event in document["events"]:
                arguments = (document["id"], event["record"], event["hash"])
                queue.enqueue_call("tests.faults.naive.apply_event", args=arguments, result_ttl=0)
        return answer

    app.after_request(tell)
    return app


def apply_event(game_id: str, text: str, hash_: str) -> None:
    """Fold the event on what is there, and write that."""
    redis, key, envelope = from_environment().redis, KEYS.game(UUID(game_id)), read_envelope(text)
    held = redis.hget(key, "table")
    table = decode_table(held) if isinstance(held, bytes) else None
    record = NewRecord(
        envelope.version, envelope.command_ix, envelope.type, text, bytes.fromhex(hash_)
    )
    table = fold([record], table)
    assert table is not None
    redis.hset(key, items=[part for field in game_hash(table).fields.items() for part in field])
    Writer(redis).place(KEYS, [Placement(part_of(UUID(game_id)), [places(table)])])


def main() -> None:
    connection = Redis.from_url(Settings.from_env().queue_url)
    worker = SimpleWorker(
        [naive_queue(connection)], connection=connection, serializer=JSONSerializer
    )
    worker.work(logging_level="WARNING")


if __name__ == "__main__":
    main()
