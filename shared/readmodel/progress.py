"""How far the read models have come in the log."""

from redis import Redis

from shared.readmodel.keys import Keys


def checkpoints(redis: Redis, keys: Keys) -> dict[int, int]:
    """By part, the position up to which games and lists hold everything."""
    with redis.pipeline(transaction=False) as pipe:
        for part in range(256):
            pipe.get(keys.checkpoint(part))
        pipe.hmget(keys.list_checkpoints, [str(part) for part in range(256)])
        *games, lists = pipe.execute()
    return {part: min(int(games[part] or 0), int(lists[part] or 0)) for part in range(256)}
