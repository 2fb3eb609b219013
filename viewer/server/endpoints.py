"""The endpoints of the JSON API, and the OpenAPI document made from their types.

Every answer, query and body is a Struct, so requests are read strictly.  Errors are problems (RFC 9457).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import wraps
from typing import Any, NamedTuple, TypeVar

import msgspec
from flask import Flask, Response, request
from msgspec import Struct

from ledger import __version__
from ledger.audit.slip.causes import InsertionForm
from ledger.record.codec import require_once
from ledger.record.errors import NotARecord
from ledger.record.events import AnyEvent
from ledger.record.json_schema import complete_opening, portable

VERSION = "v1"
"""The version of the API, in the path of each endpoint: one that breaks programs gets another number."""
BASE = f"/api/{VERSION}"
"""Where the endpoints are."""


class MissedEvent(Struct, frozen=True):
    """An event that another phone recorded in the meantime: its seq, its words, and the event."""

    seq: int
    words: str
    event: AnyEvent


class Problem(Struct, frozen=True, omit_defaults=True):
    """An error (RFC 9457).  Its `type` follows from its title; a program can tell errors apart by it.

    For events that could not be recorded, `done` is how many of them were stored anyway, `version` how many events the
    record has, and `missed` the events that the sender had not seen.
    """

    type: str
    status: int
    title: str
    detail: str
    done: int | None = None
    version: int | None = None
    missed: tuple[MissedEvent, ...] = ()


INVALID = "Invalid request"
"""The title of the problem of a request that cannot be read."""
ALWAYS = (415, 429, 503)
"""Problems of any request: a compressed body, too many requests, a ledger that cannot be read or written now."""


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """A query without parameters."""


class Endpoint(NamedTuple):
    """One endpoint: its path and summary, the types of its query and reply, and its possible problems.

    An endpoint with a `body` takes POST; a `keyed` one needs a key, or tells more to those who have one; one that
    `creates` answers 201.  With `lines` the reply to a GET, or the body of a POST, is NDJSON, with a value of its type
    on each line.
    """

    path: str
    summary: str
    query: type[Struct]
    reply: Any
    problems: tuple[int, ...]
    name: str
    view: Callable[..., Response]
    body: Any = None
    keyed: bool = False
    creates: bool = False
    lines: bool = False

    @property
    def method(self) -> str:
        """The HTTP method."""
        return "GET" if self.body is None else "POST"


JSON = ("application/json",)
NDJSON = ("application/x-ndjson", "application/ndjson", "application/json")
"""The media types for the body of a POST.  JSON without line breaks is NDJSON with one line."""
Answer = TypeVar("Answer", bound=Callable[..., Any])


class Endpoints(list[Endpoint]):
    """The endpoints of a module: `register` gives them their addresses."""

    def __call__(
        self,
        path: str,
        reply: Any,
        query: type[Struct] = Nothing,
        problems: tuple[int, ...] = (400,),
        *,
        body: Any = None,
        keyed: bool = False,
        creates: bool = False,
        lines: bool = False,
    ) -> Callable[[Answer], Answer]:
        """Adds a function for a path.  Its first argument is the parsed query, or the body if that is one value.

        A type of bodies may say in `LARGEST` how many bytes one has at most.
        """

        def add(answer: Answer) -> Answer:
            summary, view = (answer.__doc__ or "").strip(), _view(answer, query, body, lines=lines)
            self.append(
                Endpoint(path, summary, query, reply, problems, answer.__name__, view, body, keyed, creates, lines)
            )
            return answer

        return add


def register(app: Flask, endpoints: Sequence[Endpoint]) -> None:
    """Gives endpoints their addresses in an application, and an entry in its document."""
    app.extensions["endpoints"] = endpoints
    for entry in endpoints:
        rule = f"{BASE}{entry.path}".replace("{", "<").replace("}", ">")
        app.add_url_rule(rule, f"api.{entry.name}", entry.view, methods=[entry.method])


def _view(answer: Answer, query: type[Struct], body: Any, *, lines: bool) -> Callable[..., Response]:
    """The view of an endpoint: it reads the query and the body, and turns what is wrong with them into an answer."""
    decoder = None if body is None or lines else msgspec.json.Decoder(body)

    @wraps(answer)  # keeps the name, which the limits use
    def view(**parts: str) -> Response:
        kind: Any = query
        try:
            argument = msgspec.convert(dict(typed_parameters(query)), query)
            if body is not None and request.mimetype not in (accepted := NDJSON if lines else JSON):
                return problem(415, f"This is not {'NDJSON' if lines else 'JSON'}", f"send {accepted[0]}")
            if decoder is not None:
                request.max_content_length = getattr(body, "LARGEST", request.max_content_length)
                kind = body
                argument = decoder.decode(request.get_data())
                require_once(request.get_data())
        except (NotARecord, msgspec.DecodeError, ValueError, RecursionError) as error:
            return problem(400, INVALID, _reason(error, kind, "parameter" if kind is query else "field"))

        value = answer(argument, **parts)
        if isinstance(value, Response):
            return value
        return Response(msgspec.json.encode(value), content_type="application/json")

    return view


def _reason(error: Exception, kind: Any, noun: str) -> str:
    """Why a query or a body cannot be read.  For an unknown name it suggests the nearest known one, or lists all."""
    unknown = re.fullmatch(r"Object contains unknown field `(.*)`", str(error))
    if unknown is None or not (isinstance(kind, type) and issubclass(kind, Struct)):
        return str(error)
    names = [field.encode_name for field in msgspec.structs.fields(kind)]
    close = get_close_matches(unknown[1], names, n=1)
    if close:
        return f"unknown {noun} {unknown[1]!r}; did you mean {close[0]}?"
    all_names = f"the {noun}s are {', '.join(names)}" if names else f"there are no {noun}s"
    return f"unknown {noun} {unknown[1]!r}; {all_names}"


def typed_parameters(query: type[Struct]) -> Iterator[tuple[str, Any]]:
    """The parameters of a URL, each with its type.  Raises ValueError for one that occurs twice."""
    kinds = {field.encode_name: field.type for field in msgspec.structs.fields(query)} if request.args else {}
    for name, values in request.args.lists():
        if len(values) > 1:
            raise ValueError(f"the parameter {name} occurs {len(values)} times")
        (text,) = values
        if "bool" in str(kinds.get(name)):
            yield name, {"true": True, "false": False}.get(text, text)
        elif re.fullmatch(r"-?(0|[1-9][0-9]{0,17})", text) and "int" in str(kinds.get(name)):
            yield name, int(text)
        else:
            yield name, text


def problem(status: int, title: str, detail: str, **more: Any) -> Response:
    """A problem as an answer."""
    name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    body = msgspec.json.encode(Problem(f"urn:domino-ledger:problem:{name}", status, title, detail, **more))
    return Response(body, status, content_type="application/problem+json")


TAGS = {
    "records": "the records of the ledger, their replays and audits",
    "exchange": "what a phone has of a game, and what the ledger has of it",
    "games": "the games, with their options and rules",
    "players": "the people who play",
    "renamings": "names that were spelled anew, and people who were found to be one",
    "ratings": "how strong players are",
    "statistics": "scores, seats and lengths of games",
    "events": "tournaments and leagues",
}
"""The groups of endpoints, by the first part of their paths."""

# ── The document ───────────────────────────────────────────────────────────────────────────────────────────


def openapi(endpoints: Sequence[Endpoint], root: str = "") -> dict[str, Any]:
    """The OpenAPI 3.1 document of these endpoints, made from their types."""
    types = [type_ for e in endpoints for type_ in (e.reply, e.query, *([e.body] if e.body else []))] + [
        Problem,
        InsertionForm,
    ]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    schemas, components = (portable(_plain_names(schema)) for schema in (list(schemas), components))
    for name, component in components.items():
        component["title"] = name
    complete_opening(components["Open"])
    _ask_with_forms(components)
    schema_of = dict(zip(map(repr, types), schemas, strict=True))
    referenced = re.findall(r'"#/components/schemas/(\w+)"', msgspec.json.encode(components).decode())
    queries = {e.query.__name__ for e in endpoints} - set(referenced)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Domino Ledger",
            "version": __version__,
            "description": "Records of domino games, replayed and audited.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": f"{root}/", "description": "the server that this document came from"}],
        "tags": [{"name": name, "description": words} for name, words in TAGS.items()],
        "paths": {
            f"{BASE}{path}": {
                e.method.lower(): _operation(e, components, schema_of) for e in endpoints if e.path == path
            }
            for path in dict.fromkeys(e.path for e in endpoints)
        },
        "components": {
            "schemas": {name: component for name, component in components.items() if name not in queries},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": "the key of the record"}},
        },
    }


def _plain_names(schema: Any) -> Any:
    """The schemas under names without dots: `SceneRow` for `ledger.record.scene.Row`, where `Row` alone is not unique.

    Generators of clients use the names as names of types.
    """
    text = msgspec.json.encode(schema).decode()
    return msgspec.json.decode(_DOTTED.sub(lambda name: f"{name[1].title()}{name[2]}", text))


_DOTTED = re.compile(r"(?<=[\"/])(?:\w+\.)*(\w+)\.(\w+)(?=\")")
"""A name with dots in a schema: the last two parts are its groups."""


def _ask_with_forms(components: dict[str, Any]) -> None:
    """Says that a proposal may hold a form, which no type says, because its tag is that of an insertion."""
    items = components["Repair"]["properties"]["corrections"]["items"] if "Repair" in components else {"anyOf": []}
    items["anyOf"].append({"$ref": "#/components/schemas/InsertionForm"})
    items.pop("discriminator", None)


def _operation(e: Endpoint, components: dict[str, Any], schema_of: dict[str, Any]) -> dict[str, Any]:
    path_parameters = [part[1:-1] for part in e.path.split("/") if part.startswith("{")]
    fields = components[e.query.__name__]["properties"].items()
    success = "201" if e.creates else "200"
    reply_content = _lines(e.reply) if e.lines and e.body is None else _content("json", schema_of[repr(e.reply)])
    answers = {success: {"description": "the answer", "content": reply_content}}
    if e.lines and e.body is not None:
        answers["207"] = {**answers[success], "description": "the answer, if some lines were refused"}
    if e.body is None and not e.lines:
        answers["304"] = {"description": "the answer that you have is still current"}
    answers |= _problems(*e.problems, *(() if e.body is None else (413,)))
    operation: dict[str, Any] = {
        "operationId": e.name,
        "tags": [e.path.split("/")[1].partition(".")[0]],
        "summary": e.summary,
        "parameters": [
            *({"name": name, "in": "path", "required": True, "schema": PART} for name in path_parameters),
            *({"name": name, "in": "query", "required": False, "schema": _plain(field)} for name, field in fields),
        ],
        "responses": answers,
    }
    if e.body is not None:
        content = _content("json", schema_of[repr(e.body)]) | (_lines(e.body) if e.lines else {})
        operation["requestBody"] = {"required": True, "content": content}
    if e.keyed:
        operation["security"] = [{"key": []}] if e.body is not None else [{}, {"key": []}]
    return operation


PART = {"type": "string", "minLength": 1, "pattern": "^[^/]+$"}
"""A part of a path."""


def _problems(*statuses: int) -> dict[str, Any]:
    """The answers with these statuses, and those that every request may get."""
    content = _content("problem+json", {"$ref": "#/components/schemas/Problem"})
    return {str(status): {"description": "an error", "content": content} for status in sorted({*statuses, *ALWAYS})}


def _content(kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {f"application/{kind}": {"schema": schema}}


def _lines(kind: type[Struct]) -> dict[str, Any]:
    """NDJSON: a schema cannot describe its lines."""
    return _content("x-ndjson", {"type": "string", "description": f"a {kind.__name__} on each line"})


def _plain(field: dict[str, Any]) -> dict[str, Any]:
    """The schema of a field as a URL parameter: omitted instead of null."""
    field = {name: value for name, value in field.items() if not (name == "default" and value is None)}
    if "anyOf" in field:
        (only,) = (option for option in field.pop("anyOf") if option != {"type": "null"})
        return {**only, **field}
    if "enum" in field:
        return {**field, "enum": [value for value in field["enum"] if value is not None]}
    return field
