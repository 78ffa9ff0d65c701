"""Where the API is: the flag `--url` of the commands that ask it, and what is said of no answer."""

from __future__ import annotations

import argparse

import httpx

_DEFAULT = "http://127.0.0.1:8000"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--url", type=address, default=_DEFAULT, help=f"where the API is (default {_DEFAULT})"
    )


def address(text: str) -> str:
    """Without a slash at the end; `127.0.0.1:8000` means http."""
    whole = text if "://" in text else f"http://{text}"
    try:
        url = httpx.URL(whole)
    except httpx.InvalidURL as error:
        raise argparse.ArgumentTypeError(f"{text} is no address: {error}") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise argparse.ArgumentTypeError(f"{text} is no address of a web service")
    return whole.rstrip("/")


def unanswered(url: str, error: httpx.TransportError) -> str:
    """Say in a sentence that the API could not be asked, and why."""
    if isinstance(error, httpx.ConnectError):
        return f"nothing answers at {url} ({error}): is it up?"
    return f"{url} does not answer: {error}"
