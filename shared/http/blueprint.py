"""Blueprints that parse strictly and document refusals: flask-smorest with our rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any, NoReturn, TypeVar

import flask_smorest
from flask import Request, g, request
from flask_smorest.utils import deepupdate
from marshmallow import RAISE, Schema, ValidationError
from msgspec import Struct
from webargs.flaskparser import FlaskParser
from werkzeug.datastructures import Headers
from werkzeug.http import parse_options_header

from shared.http import json_body
from shared.http.documents import Document, reference
from shared.http.problems import MEDIA_TYPE, Fault, Problem, pointer
from shared.http.refusals import ALL_KINDS
from shared.http.wording import in_our_words

View = TypeVar("View", bound=Callable[..., Any])
INVALID_RESPONSE = "InvalidRequest"
_JSON_NEEDED = (
    "A body is needed, if only `{}`, that is announced by `Content-Type: application/json`, "
    "in UTF-8 and uncompressed."
)
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def strict_json() -> json_body.Json:
    """Return this request's body, read strictly and once."""
    if "json_body" not in g:
        if not _is_json(request.headers):
            raise Problem("unsupported_media_type", _JSON_NEEDED)
        g.json_body = json_body.parse(request.get_data())
    found: json_body.Json = g.json_body
    return found


def _is_json(headers: Headers) -> bool:
    """JSON in UTF-8, and not compressed."""
    if headers.get("Content-Encoding", "identity") != "identity":
        return False
    kind, parameters = parse_options_header(headers.get("Content-Type"))
    charset = parameters.get("charset", "utf-8").lower()
    return kind.lower() == "application/json" and charset in {"utf-8", "utf8"}


class _StrictParser(FlaskParser):
    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {  # noqa: RUF012 (as the base has it)
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "query": RAISE,
    }

    def load_json(self, req: Request, schema: Schema) -> json_body.Json:  # noqa: ARG002
        return strict_json()

    def load_querystring(self, req: Request, schema: Schema) -> Any:
        for name, values in req.args.lists():
            if len(values) > 1:
                fault: Fault = {"parameter": name, "detail": "Must be given only once."}
                raise Problem("invalid", errors=[fault])
        return super().load_querystring(req, schema)

    def handle_error(self, error: ValidationError, *_args: object, **_kwargs: object) -> NoReturn:
        ((location, messages),) = error.messages_dict.items()
        faults = [_fault(location, path, detail) for path, detail in _flatten(messages, ())]
        raise Problem("invalid", errors=faults)


def _flatten(messages: Any, path: json_body.Path) -> Iterator[tuple[json_body.Path, str]]:
    """Walk marshmallow's nested messages; `_schema` is its word for the object itself."""
    match messages:
        case Mapping():
            for key, inner in messages.items():
                yield from _flatten(inner, path if key == "_schema" else (*path, key))
        case list():
            for inner in messages:
                yield from _flatten(inner, path)
        case _:
            yield path, in_our_words(str(messages))


def _fault(location: str, path: json_body.Path, detail: str) -> Fault:
    if location == "json":
        return {"pointer": pointer(path), "detail": detail}
    return {"parameter": str(path[0]), "detail": detail}


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """A group of operations. A view's name becomes its operationId, its docstring its text."""

    ARGUMENTS_PARSER = _StrictParser()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.documents: list[Document] = []
        """The types that its views write out, for the specification."""
        self.requested: list[Document] = []
        """The types that parts of requests are read into, likewise."""

    def arguments(self, schema: type[Schema], **options: Any) -> Decorator:
        """Hand the view what the schema, which is made once, makes of the request."""
        parse: Decorator = super().arguments(schema(), **options)

        def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
            parsing = parse(view)
            # flask-smorest would name it after the status, whose name depends on Python's version.
            _documentation(parsing, "arguments")["responses"] = {422: INVALID_RESPONSE}
            return parsing

        return decorate

    @staticmethod
    def doc(**words: Any) -> Callable[[View], View]:
        """Note it on the view itself; flask-smorest would put another call around the view."""

        def decorate(view: View) -> View:
            noted = deepcopy(getattr(view, "_apidoc", {}))
            view._apidoc = deepupdate(noted, {"manual_doc": words})  # type: ignore[attr-defined]  # noqa: SLF001
            return view

        return decorate

    def response(self, status: int, schema: object = None, **options: Any) -> Decorator:
        """Document an answer by a schema, or by the type that the view writes out itself."""
        if isinstance(schema, type) and issubclass(schema, Struct):
            self.documents.append(schema)
            schema = reference(schema)
        decorator: Decorator = super().response(status, schema, **options)
        return decorator

    def route(self, rule: str, **options: Any) -> Callable[[View], View]:
        register = super().route(rule, **options)

        def decorate(view: View) -> View:
            registered: View = register(self.doc(operationId=view.__name__)(view))
            return registered

        return decorate


def refuses(*codes: str) -> Callable[[View], View]:
    """Document the codes with which an operation may be refused, grouped by status."""
    by_status = defaultdict(list)
    for code in codes:
        by_status[ALL_KINDS[code].status].append(code)
    responses = {
        status: {
            "description": ", ".join(f"`{code}`: {ALL_KINDS[code].title}" for code in together)
            + ".",
            "content": {MEDIA_TYPE: _example(together[0])},
        }
        for status, together in by_status.items()
    }
    documented: Callable[[View], View] = Blueprint.doc(responses=responses)
    return documented


def _example(code: str) -> dict[str, Any]:
    example = Problem(code, kind=ALL_KINDS[code]).document("0b6f3e5d4c2a1978")
    return {"schema": {"$ref": "#/components/schemas/Problem"}, "example": example}


def takes_header(name: str, description: str, **schema: object) -> Callable[[View], View]:
    """Document a request header that the view reads itself."""
    parameter = {
        "in": "header",
        "name": name,
        "description": description,
        "schema": {"type": "string", **schema},
    }

    def decorate(view: View) -> View:
        documented: View = Blueprint.doc()(view)
        _documentation(documented, "arguments").setdefault("parameters", []).append(parameter)
        return documented

    return decorate


def _documentation(view: Callable[..., Any], part: str) -> dict[str, Any]:
    """Reach what flask-smorest's decorators have noted on a view."""
    noted: dict[str, Any] = view._apidoc.setdefault(part, {})  # type: ignore[attr-defined]  # noqa: SLF001
    return noted
