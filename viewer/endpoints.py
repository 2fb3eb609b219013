"""The addresses of the JSON API, and the OpenAPI document that is made from the types that they read and write.

Every answer is a Struct, and so is every query and every body: what is asked is read strictly.  What cannot be
answered is a problem (RFC 9457).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, NamedTuple, TypeVar

import msgspec
from flask import Blueprint, Response, request
from msgspec import Struct

from ledger import __version__
from ledger.events import AnyEvent

api = Blueprint("api", __name__, url_prefix="/api")


class Missed(Struct, frozen=True):
    """An event that somebody else recorded meanwhile: its seq, the event in words, and the event."""

    seq: int
    words: str
    event: AnyEvent


class Problem(Struct, frozen=True, omit_defaults=True):
    """Why there is no answer (RFC 9457).

    Where events were to be recorded, `done` tells how many of them are stored all the same, `version` how many events
    the record has, and `missed` what the sender had not seen.
    """

    status: int
    title: str
    detail: str
    done: int | None = None
    version: int | None = None
    missed: tuple[Missed, ...] = ()


ALWAYS = (415, 429, 503)
"""Problems that any request may meet: it is packed, it comes too often, the ledger cannot be read or written now."""


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """A query without parameters."""


class Endpoint(NamedTuple):
    """One address: what it is for, what it is asked with, what it answers, and which problems it may have.

    With a `body` it is posted to; `keyed` ones want the key of the record.
    """

    path: str
    summary: str
    query: type[Struct]
    reply: Any
    problems: tuple[int, ...]
    answer: Callable[..., Any]
    body: Any = None
    keyed: bool = False

    @property
    def method(self) -> str:
        """The method in HTTP."""
        return "GET" if self.body is None else "POST"


ENDPOINTS: list[Endpoint] = []


Answer = TypeVar("Answer", bound=Callable[..., Any])


def endpoint(
    path: str,
    reply: Any,
    query: type[Struct] = Nothing,
    problems: tuple[int, ...] = (400,),
    *,
    body: Any = None,
    keyed: bool = False,
) -> Callable[[Answer], Answer]:
    """Registers a function as the answer to a path; its first argument is the query, or the body, read."""

    def register(answer: Answer) -> Answer:
        decoder = None if body is None else msgspec.json.Decoder(body)

        @wraps(answer)  # so that it has a name of its own: limits go by it
        def view(**parts: str) -> Response:
            try:
                asked = msgspec.convert(dict(_typed(query)), query)
                if decoder is not None:
                    if request.mimetype != "application/json":
                        return problem(415, "This is not JSON", "what is posted here is application/json")
                    asked = decoder.decode(request.get_data())
            except (msgspec.DecodeError, ValueError, RecursionError) as error:
                return problem(400, "This is not what can be asked here", str(error))
            found = answer(asked, **parts)
            return found if isinstance(found, Response) else _answer(found)

        known = Endpoint(path, (answer.__doc__ or "").strip(), query, reply, problems, answer, body, keyed)
        ENDPOINTS.append(known)
        rule = path.replace("{", "<").replace("}", ">")
        api.add_url_rule(rule, answer.__name__, view, methods=[known.method])
        return answer

    return register


def _answer(found: Any) -> Response:
    return Response(msgspec.json.encode(found), content_type="application/json")


def _typed(query: type[Struct]) -> Iterator[tuple[str, Any]]:
    """What a URL asks, each parameter once and as the type that it has there.  Raises ValueError."""
    kinds = {field.encode_name: field.type for field in msgspec.structs.fields(query)}
    for name, values in request.args.lists():
        if len(values) > 1:
            raise ValueError(f"{name} is asked for {len(values)} times")
        (text,) = values
        if kinds.get(name) is bool:
            yield name, {"true": True, "false": False}.get(text, text)
        elif re.fullmatch(r"-?(0|[1-9][0-9]{0,17})", text) and "int" in str(kinds.get(name)):
            yield name, int(text)
        else:
            yield name, text


def problem(status: int, title: str, detail: str, **more: Any) -> Response:
    """A problem as an answer."""
    body = msgspec.json.encode(Problem(status, title, detail, **more))
    return Response(body, status, content_type="application/problem+json")


# ── The document ───────────────────────────────────────────────────────────────────────────────────────────


def openapi() -> dict[str, Any]:
    """The OpenAPI 3.1 document of this API, from the types that read and write it."""
    types = [each for e in ENDPOINTS for each in (e.reply, e.query, *([e.body] if e.body else []))] + [Problem]
    found, parts = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    schema_of = dict(zip(map(repr, types), found, strict=True))
    queries = {e.query.__name__ for e in ENDPOINTS}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Domino Ledger",
            "version": __version__,
            "description": "Records of domino games, replayed and audited.",
        },
        "paths": {f"/api{e.path}": {e.method.lower(): _operation(e, parts, schema_of)} for e in ENDPOINTS},
        "components": {
            "schemas": {name: part for name, part in parts.items() if name not in queries},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": "the key of the record"}},
        },
    }


def _operation(e: Endpoint, parts: dict[str, Any], schema_of: dict[str, Any]) -> dict[str, Any]:
    inside = [part[1:-1] for part in e.path.split("/") if part.startswith("{")]
    whole = {"type": "string", "minLength": 1, "pattern": "^[^/]+$"}
    fields = parts[e.query.__name__]["properties"].items()
    answers = {"200": {"description": "the answer", "content": _content("json", schema_of[repr(e.reply)])}}
    for status in sorted({*e.problems, *ALWAYS, *(() if e.body is None else (413,))}):
        content = _content("problem+json", {"$ref": "#/components/schemas/Problem"})
        answers[str(status)] = {"description": "why there is no answer", "content": content}
    operation: dict[str, Any] = {
        "operationId": e.answer.__name__,
        "summary": e.summary,
        "parameters": [
            *({"name": name, "in": "path", "required": True, "schema": whole} for name in inside),
            *({"name": name, "in": "query", "required": False, "schema": _plain(field)} for name, field in fields),
        ],
        "responses": answers,
    }
    if e.body is not None:
        operation["requestBody"] = {"required": True, "content": _content("json", schema_of[repr(e.body)])}
    if e.keyed:
        operation["security"] = [{"key": []}]
    return operation


def _content(kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {f"application/{kind}": {"schema": schema}}


def _plain(field: dict[str, Any]) -> dict[str, Any]:
    """The schema of a field as it stands in a URL: left out, never null."""
    field = {name: value for name, value in field.items() if not (name == "default" and value is None)}
    if "anyOf" in field:
        (only,) = (option for option in field.pop("anyOf") if option != {"type": "null"})
        return {**only, **field}
    if "enum" in field:
        return {**field, "enum": [value for value in field["enum"] if value is not None]}
    return field
