"""What a process of the projector stands on, made once from the environment."""

from functools import cache

from msgspec import Struct
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from services.projector.dead_letters import DeadLetters
from services.projector.drain import Projector
from services.projector.feed import Feed
from shared import logs
from shared.config import Settings
from shared.eventstore.pool import Pool, Role
from shared.eventstore.store import EventStore
from shared.readmodel.generation import Generations
from shared.readmodel.marks import Marks, projection_queue
from shared.readmodel.wake import Waker


class Wiring(Struct, frozen=True):
    pool: Pool
    redis: Redis
    store: EventStore
    dead_letters: DeadLetters
    projector: Projector
    generations: Generations
    marks: Marks
    waker: Waker


def wire(settings: Settings) -> Wiring:
    """Connects to nothing yet."""
    pool = Pool(settings.database_url, Role.PROJECTOR, max_size=4)
    redis = Redis.from_url(settings.redis_url, socket_timeout=5, socket_connect_timeout=1)
    queue = projection_queue(
        Redis.from_url(
            settings.queue_url,
            socket_timeout=1,
            socket_connect_timeout=1,
            retry=Retry(NoBackoff(), 0),  # sweeping must not wait for it
        )
    )
    store, dead_letters = EventStore(pool), DeadLetters(pool)
    return Wiring(
        pool=pool,
        redis=redis,
        store=store,
        dead_letters=dead_letters,
        projector=Projector(redis, store, Feed(pool), dead_letters),
        generations=Generations(redis),
        marks=Marks(redis, queue),
        waker=Waker(redis, queue),
    )


@cache
def from_environment() -> Wiring:
    """The process's own, since a job comes with nothing but its arguments."""
    settings = Settings.from_env()
    logs.configure(settings.log_level)
    return wire(settings)
