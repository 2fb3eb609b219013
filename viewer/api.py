"""The JSON API: what the pages show, for programs.

Every answer is a Struct, and so is every query: what is asked is read strictly, and the OpenAPI document is made from
the same types.  What cannot be answered is a problem (RFC 9457).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from flask import Blueprint, Response, abort, render_template, request
from msgspec import Meta, Struct

from ledger import __version__, catalog
from ledger.audit import Report
from ledger.codec import FORMAT, Document
from ledger.events import kind
from ledger.review import clauses
from ledger.store import Query, Row
from viewer.frames import changes
from viewer.pages import prepared, store

api = Blueprint("api", __name__, url_prefix="/api")

Day = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$")]
Words = Annotated[str, Meta(max_length=200)]


class Problem(Struct, frozen=True):
    """Why there is no answer (RFC 9457)."""

    status: int
    title: str
    detail: str


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """A query without parameters."""


class Search(Struct, frozen=True, forbid_unknown_fields=True):
    """Which records to list; see the front page."""

    game: Words | None = None
    player: Words | None = None
    place: Words | None = None
    since: Day | None = None
    until: Day | None = None
    verdict: Literal["clean", "unproven", "breach", "impossible", "unreadable"] | None = None
    clause: Words | None = None
    order: Literal["opened", "played"] = "opened"
    reverse: bool = False
    limit: Annotated[int, Meta(ge=1, le=500)] = 50
    offset: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0


class View(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a record is shown after its corrections or as it was written down."""

    view: Literal["corrected", "recorded"] = "corrected"


class Listed(Struct, frozen=True):
    """A part of the ledger's list, and the offset of the next part if there is one."""

    records: list[Row]
    next: int | None


class StepView(Struct, frozen=True):
    """A step as people read it; `come` and `go` are numbers of items on the table."""

    seq: int
    words: str
    notation: str
    scores: tuple[int, ...]
    gained: tuple[int, ...]
    turns: tuple[int, ...]
    status: str
    fingerprint: str
    come: list[int]
    go: list[int]


class PanelView(Struct, frozen=True):
    """A picture of the table: its size in units and what is always there, as SVG."""

    name: str
    title: str
    height: float
    ground: str


class ItemView(Struct, frozen=True):
    """A thing on the table, as SVG on a panel; items are drawn in their order."""

    panel: str
    svg: str


class Steps(Struct, frozen=True):
    """A whole record, step by step, with everything that is drawn."""

    id: str
    players: tuple[str, ...]
    panels: list[PanelView]
    items: list[ItemView]
    steps: list[StepView]


class ChangeView(Struct, frozen=True):
    """A correction: who put what right, when and why."""

    seq: int
    target: int
    why: str
    when: str | None
    by: str | None


class ClauseView(Struct, frozen=True):
    """A clause of a game."""

    id: str
    meaning: str
    events: list[str]


class OptionView(Struct, frozen=True):
    """An option of a game, its default first."""

    name: str
    kind: Literal["variant", "ruling", "fact"]
    values: list[Any]
    accepts: str
    meaning: str


class GameView(Struct, frozen=True):
    """A game with its rules."""

    name: str
    title: str
    author: str
    seats: str
    editions: tuple[str, ...]
    options: list[OptionView]
    clauses: list[ClauseView]


class Endpoint(NamedTuple):
    """One address: what it is for, what it is asked with, what it answers, and which problems it may have."""

    path: str
    summary: str
    query: type[Struct]
    reply: Any
    problems: tuple[int, ...]
    answer: Callable[..., Any]


ENDPOINTS: list[Endpoint] = []


Answer = TypeVar("Answer", bound=Callable[..., Any])


def endpoint(
    path: str, reply: Any, query: type[Struct] = Nothing, problems: tuple[int, ...] = (400,)
) -> Callable[[Answer], Answer]:
    """Registers a function as the answer to a path; its first argument is the query, read."""

    def register(answer: Answer) -> Answer:
        def view(**parts: str) -> Response:
            try:
                asked = msgspec.convert(dict(_typed(query)), query)
            except (msgspec.ValidationError, ValueError) as error:
                return problem(400, "This is not what can be asked here", str(error))
            return Response(msgspec.json.encode(answer(asked, **parts)), content_type="application/json")

        ENDPOINTS.append(Endpoint(path, (answer.__doc__ or "").strip(), query, reply, problems, answer))
        api.add_url_rule(path.replace("{", "<").replace("}", ">"), answer.__name__, view)
        return answer

    return register


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


def problem(status: int, title: str, detail: str) -> Response:
    """A problem as an answer."""
    body = msgspec.json.encode(Problem(status, title, detail))
    return Response(body, status, content_type="application/problem+json")


@endpoint("/records", Listed, Search)
def records(asked: Search) -> Listed:
    """The records of the ledger, found and sorted by the database."""
    plain = {name: getattr(asked, name) for name in Search.__struct_fields__ if name != "limit"}
    rows = store().find(Query(**plain, limit=asked.limit + 1))
    return Listed(rows[: asked.limit], asked.offset + asked.limit if len(rows) > asked.limit else None)


@endpoint("/records/{record_id}", Document, problems=(400, 404, 422))
def record(_asked: Nothing, record_id: str) -> Document:
    """A record in its public format."""
    return Document(FORMAT, store().read(record_id).events)


@endpoint("/records/{record_id}/report", Report, View, problems=(400, 404, 422))
def report(asked: View, record_id: str) -> Report:
    """The audit of a record."""
    return prepared(record_id, recorded=asked.view == "recorded").review.report


@endpoint("/records/{record_id}/steps", Steps, View, problems=(400, 404, 422))
def steps(asked: View, record_id: str) -> Steps:
    """A record step by step, with everything that is drawn."""
    ready = prepared(record_id, recorded=asked.view == "recorded")
    found, prints = ready.film, ready.review.fingerprints()
    return Steps(
        record_id,
        ready.review.opening.names,
        [PanelView(*panel) for panel in found.panels],
        [ItemView(item.panel, item.svg) for item in found.items],
        [
            StepView(f.seq, f.words, f.notation, f.scores, f.gained, f.turns, f.status, print_, come, go)
            for f, print_, (come, go) in zip(found.frames, prints, changes(found.frames), strict=True)
        ],
    )


@endpoint("/records/{record_id}/history", list[ChangeView], problems=(400, 404, 422))
def history(_asked: Nothing, record_id: str) -> list[ChangeView]:
    """The corrections of a record."""
    found = prepared(record_id).review.effective.changes
    return [ChangeView(c.seq, c.target, c.event.why, c.event.when, c.event.by) for c in found]


@endpoint("/games", list[GameView])
def games(_asked: Nothing) -> list[GameView]:
    """The games, with their options and clauses."""
    return [_game(name) for name in catalog.names()]


@endpoint("/games/{name}", GameView, problems=(400, 404))
def game(_asked: Nothing, name: str) -> GameView:
    """One game."""
    if name not in catalog.names():
        abort(404, f"no game is called {name}; there are {', '.join(catalog.names())}")
    return _game(name)


def _game(name: str) -> GameView:
    found = catalog.find(name)
    return GameView(
        found.name,
        found.title,
        found.author,
        found.seats,
        found.editions,
        [OptionView(o.name, o.kind, list(o.values), o.accepts, o.meaning) for o in found.options],
        [ClauseView(c.id, c.meaning, [kind(event) for event in c.on]) for c in clauses(found)],
    )


# ── The document ───────────────────────────────────────────────────────────────────────────────────────────


def openapi() -> dict[str, Any]:
    """The OpenAPI 3.1 document of this API, from the types that read and write it."""
    types = [each for e in ENDPOINTS for each in (e.reply, e.query)] + [Problem]
    found, parts = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    schema_of = dict(zip(map(repr, types), found, strict=True))
    paths: dict[str, Any] = {}
    for e in ENDPOINTS:
        fields = parts[e.query.__name__]["properties"]
        inside = [part[1:-1] for part in e.path.split("/") if part.startswith("{")]
        parameters = [
            {
                "name": name,
                "in": "path",
                "required": True,
                "schema": {"type": "string", "minLength": 1, "pattern": "^[^/]+$"},
            }
            for name in inside
        ] + [
            {"name": name, "in": "query", "required": False, "schema": _plain(field)} for name, field in fields.items()
        ]
        answers: dict[str, Any] = {
            "200": {"description": "the answer", "content": {"application/json": {"schema": schema_of[repr(e.reply)]}}}
        }
        for status in e.problems:
            content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
            answers[str(status)] = {"description": "why there is no answer", "content": content}
        operation = {
            "operationId": e.answer.__name__,
            "summary": e.summary,
            "parameters": parameters,
            "responses": answers,
        }
        paths[f"/api{e.path}"] = {"get": operation}
    queries = {e.query.__name__ for e in ENDPOINTS}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Domino Ledger",
            "version": __version__,
            "description": "Records of domino games, replayed and audited.",
        },
        "paths": paths,
        "components": {"schemas": {name: part for name, part in parts.items() if name not in queries}},
    }


def _plain(field: dict[str, Any]) -> dict[str, Any]:
    """The schema of a field as it stands in a URL: left out, never null."""
    field = {name: value for name, value in field.items() if not (name == "default" and value is None)}
    if "anyOf" in field:
        (only,) = (option for option in field.pop("anyOf") if option != {"type": "null"})
        return {**only, **field}
    if "enum" in field:
        return {**field, "enum": [value for value in field["enum"] if value is not None]}
    return field


@api.get("/openapi.json")
def document() -> Response:
    """The OpenAPI document."""
    return Response(msgspec.json.encode(openapi()), content_type="application/json")


@api.get("")
@api.get("/")
def page() -> str:
    """A page that shows the API."""
    return render_template("api.html", endpoints=ENDPOINTS, fields=_fields)


def _fields(query: type[Struct]) -> list[str]:
    return list(query.__struct_fields__)
