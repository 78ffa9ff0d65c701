"""Chance, provably fair (DESIGN 3): every draw follows from a seed committed to beforehand.

`docs/fair-draws.md` says how anybody recomputes a game's draws, with a test vector. What is here
can therefore never change: another rule for drawing is another scheme with another label.
"""

import hashlib
import hmac
from collections.abc import Callable, Sequence

SCHEME = b"puertorico-draw-1"
SEED_BYTES = 32
MAX_NONCE_BYTES = 255
RANGE = 2**256

Draw = Callable[[int, int], int]
"""`draw(k, n)`: the outcome, 0 to n - 1, of the game's draw number k."""


def commitment(seed: bytes) -> str:
    """What is published before anybody joins: the SHA-256 of the seed, in hexadecimal."""
    return hashlib.sha256(_checked(seed)).hexdigest()


def draw_key(seed: bytes, game_id: str, nonces: Sequence[str]) -> bytes:
    """The key of a game's draws; `nonces` are the players' own, in the order of joining.

    Each nonce, an empty one too, is preceded by its length, so no two lists make the same key.
    """
    message = SCHEME + game_id.encode("ascii") + b"".join(map(_with_length, nonces))
    return hmac.digest(_checked(seed), message, "sha256")


class Draws:
    """The draws of one game. A draw depends on its number only, not on the draws before it."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def __call__(self, k: int, n: int) -> int:
        """Draw number k among n; a number that would favour small outcomes is passed over."""
        fair = RANGE - RANGE % n
        attempt = 0
        while (x := self._number(k, attempt)) >= fair:
            attempt += 1
        return x % n

    def _number(self, k: int, attempt: int) -> int:
        message = k.to_bytes(4, "big") + attempt.to_bytes(4, "big")
        return int.from_bytes(hmac.digest(self._key, message, "sha256"), "big")


def seating(players: int, draw: Draw, first: int) -> list[int]:
    """Who sits where: at each seat, the place in the order of joining of the player who has it.

    Fisher-Yates over the order of joining, from the last seat down; it takes the `players - 1`
    draws from number `first` on.
    """
    seats = list(range(players))
    for k, i in enumerate(range(players - 1, 0, -1), start=first):
        j = draw(k, i + 1)
        seats[i], seats[j] = seats[j], seats[i]
    return seats


def _checked(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    return seed


def _with_length(nonce: str) -> bytes:
    encoded = nonce.encode()
    if len(encoded) > MAX_NONCE_BYTES:
        raise ValueError(f"a nonce has at most {MAX_NONCE_BYTES} bytes in UTF-8")
    return bytes([len(encoded)]) + encoded
