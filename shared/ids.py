"""Identifiers: UUID version 7 (RFC 9562), whose order is the order of creation."""

import secrets
import time
from uuid import UUID


def uuid7() -> UUID:
    """48 bits of milliseconds, then random bits, the last byte too, so games spread evenly."""
    milliseconds = time.time_ns() // 1_000_000
    bits = (milliseconds & (2**48 - 1)) << 80 | secrets.randbits(80)
    bits = bits & ~(0xF << 76) | 0x7 << 76
    bits = bits & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=bits)
