"""Scripts that run in Redis, many calls in one round trip."""

from collections.abc import Sequence
from hashlib import sha1
from pathlib import Path

from redis import Redis
from redis.exceptions import NoScriptError
from redis.typing import EncodableT

HERE = Path(__file__).parent

Call = tuple[Sequence[str], Sequence[EncodableT]]
"""Keys and arguments."""


def script(name: str) -> str:
    """The text of a script beside this module."""
    return (HERE / name).read_text("utf-8")


class PipelinedScript:
    """Unlike redis-py's own it does not ask before each pipeline whether Redis has it."""

    def __init__(self, redis: Redis, text: str) -> None:
        self._redis = redis
        self._text = text
        self._sha = sha1(text.encode()).hexdigest()  # noqa: S324  # how Redis names it

    def __call__(self, calls: Sequence[Call]) -> list[object]:
        """The answers in order. redis.RedisError; then any of the calls may have been made."""
        answers = self._run(calls)
        missed = [ix for ix, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
        if missed:  # Redis was started anew
            self._redis.script_load(self._text)
            for ix, answer in zip(missed, self._run([calls[ix] for ix in missed]), strict=True):
                answers[ix] = answer
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers

    def _run(self, calls: Sequence[Call]) -> list[object]:
        with self._redis.pipeline(transaction=False) as pipe:
            for keys, arguments in calls:
                pipe.evalsha(self._sha, len(keys), *keys, *arguments)
            answers: list[object] = pipe.execute(raise_on_error=False)
        return answers
