"""Who may call a view: bearer tokens (RFC 6750) and their scopes."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from flask import g, request

from shared.http.admission import token_account
from shared.http.blueprint import Blueprint
from shared.http.problems import Problem
from shared.http.tokens import Account, Scope

View = TypeVar("View", bound=Callable[..., Any])


def requires(scope: Scope | None) -> Callable[[View], View]:
    """Let a view be called only with a valid token that has the scope; None is content with any.

    Belongs above `arguments`. The view finds its caller by `caller()`.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if "Authorization" not in request.headers:
                raise _unauthorized("This needs a token.", "Bearer")
            _authenticate(scope)
            return view(*args, **kwargs)

        return cast(View, _documented(guarded, [{"bearer": [scope] if scope else []}]))

    return decorate


def identifies(scope: Scope) -> Callable[[View], View]:
    """Let anybody call a view, known by his token if he brings one; a bad token is refused.

    The view finds its caller, or None, by `viewer()`.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def open_to_all(*args: Any, **kwargs: Any) -> Any:
            if "Authorization" in request.headers:
                _authenticate(scope)
            return view(*args, **kwargs)

        return cast(View, _documented(open_to_all, [{}, {"bearer": [scope]}]))

    return decorate


def caller() -> Account:
    """Return the account of a view under `requires`."""
    return cast(Account, g.account)


def viewer() -> Account | None:
    """Return the account that makes this request, None if it is anonymous."""
    return cast("Account | None", g.get("account"))


def require_scope(scope: Scope) -> None:
    """Refuse a caller whose token lacks the scope, where a view needs one only sometimes."""
    if scope not in caller().scopes:
        raise Problem(
            "missing_scope",
            f"The token lacks the scope {scope}.",
            headers={"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{scope}"'},
        )


def _authenticate(scope: Scope | None) -> None:
    g.account = token_account()
    if g.account is None:
        raise invalid_token()
    if scope:
        require_scope(scope)


def invalid_token() -> Problem:
    return _unauthorized(
        "The token is unknown, revoked or expired.", 'Bearer error="invalid_token"'
    )


def _unauthorized(detail: str, challenge: str) -> Problem:
    return Problem("unauthorized", detail, headers={"WWW-Authenticate": challenge})


def _documented(view: Callable[..., Any], security: list[dict[str, list[Scope]]]) -> Any:
    return Blueprint.doc(security=security)(view)
