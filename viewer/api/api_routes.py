"""The JSON API for reading: everything the pages show, for programs."""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from flask import Blueprint, Response, current_app, render_template, request, url_for
from msgspec import Meta, Struct

from ledger.audit.auditor import Report
from ledger.audit.moments import MomentList, for_programs
from ledger.audit.review import Review
from ledger.audit.rule_book import GameView, game_view
from ledger.audit.slip.causes import Cause
from ledger.audit.slip.slip_search import causes
from ledger.games import catalog
from ledger.keep.stored_audits import unknown_filter
from ledger.record import codec
from ledger.record.codec import FORMAT, Document
from ledger.record.json_schema import schema
from ledger.record.visible import without_isolates as plain
from ledger.record.words import is_day
from ledger.stores.query import Query, Row
from viewer.pictures.film import changes
from viewer.pictures.things import Thing
from viewer.replay.replay_routes import replay_of
from viewer.rulebook.rulebook_routes import revision
from viewer.server.context import Ledgers, ledgers, loss, store
from viewer.server.endpoints import BASE, Endpoints, Nothing, openapi, problem

api = Blueprint("api", __name__, url_prefix="/api")
schemas = Blueprint("schemas", __name__)
"""The schema of the public format, outside the API."""

endpoint = Endpoints()


class Search(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which records to list: a query of at most 500 records."""

    limit: Annotated[int, Meta(ge=1, le=500)] = 50
    offset: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, day in (("since", self.since), ("until", self.until)):
            if day is not None and not is_day(day):
                raise ValueError(f"{name}: there is no day {day!r}: write it as in 2026-11-20")


class View(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether to show a record after its corrections, or as it was first recorded."""

    view: Literal["corrected", "recorded"] = "corrected"


class RecordList(Struct, frozen=True):
    """A part of the ledger's list, and the offset of the next part, if there is one.

    `total` is the number of records that match.  `loss` says what the ledger has lost; it is empty if nothing is known
    to be missing.
    """

    records: list[Row]
    next: int | None
    total: int
    loss: str = ""


class StepView(Struct, frozen=True):
    """A step for people; `come` and `go` are the numbers of items that appear and disappear."""

    seq: int
    words: str
    notation: str
    scores: tuple[int, ...]
    gained: tuple[int, ...]
    turns: tuple[int, ...]
    status: str
    state_digest: str
    come: list[int]
    go: list[int]


class Steps(Struct, frozen=True):
    """A whole record, step by step: the things on the table, and at each step those that appear or disappear."""

    id: str
    players: tuple[str, ...]
    things: list[Thing]
    steps: list[StepView]


class ChangeView(Struct, frozen=True):
    """A correction: who corrected what, when and why."""

    seq: int
    target: int
    why: str
    when: str | None
    by: str | None


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """Which revision of the rules to show; the newest by default."""

    rules: Annotated[str, Meta(max_length=200)] | None = None


@endpoint("/records", RecordList, Search, problems=(400, 404))
def records(query: Search) -> Response:
    """The records of the ledger.  The header `Link` leads to the next and the previous part, and to the first."""
    rows = store().find(msgspec.structs.replace(query, limit=query.limit + 1))
    if not rows and (unknown := unknown_filter(query, store())):
        return problem(404, "There is no such game or clause", unknown)
    after = query.offset + query.limit if len(rows) > query.limit else None
    listing = RecordList(rows[: query.limit], after, store().count_records(query), loss())
    answer = Response(msgspec.json.encode(listing), content_type="application/json")
    offsets = {"first": 0, "prev": max(0, query.offset - query.limit) if query.offset else None, "next": after}
    for relation, offset in offsets.items():
        if offset is not None:
            url = url_for("api.records", **{**request.args.to_dict(), "offset": offset})  # type: ignore[arg-type]
            answer.headers.add("Link", f'<{url}>; rel="{relation}"')
    return answer


@endpoint("/records.ndjson", Document, Search, problems=(400, 404), lines=True)
def archive(query: Search) -> Response:
    """The records that match a search, one per line, as `domino-ledger export` writes them."""
    ledger = store()
    rows = ledger.find(query)
    if not rows and (unknown := unknown_filter(query, ledger)):
        return problem(404, "There is no such game or clause", unknown)

    def lines(open_ledgers: Ledgers) -> Iterator[bytes]:
        with open_ledgers.one() as own:  # the request has given back its own by then
            for row in rows:
                yield codec.encode(own.read(row.id)) + b"\n"

    return Response(lines(ledgers()), content_type="application/x-ndjson")


@endpoint("/records/{record_id}", Document, problems=(400, 404, 422))
def record(_query: Nothing, record_id: str) -> Document:
    """A record in its public format."""
    return Document(format=FORMAT, events=store().read(record_id).events)


@endpoint("/records/{record_id}/report", Report, View, problems=(400, 404, 422))
def report(query: View, record_id: str) -> Report:
    """The audit of a record."""
    return replay_of(record_id, recorded=query.view == "recorded").review.report


@endpoint("/records/{record_id}/causes", tuple[Cause, ...], problems=(400, 404, 422))
def record_causes(_query: Nothing, record_id: str) -> tuple[Cause, ...]:
    """The slips that would explain the findings of a record's report, found by a search of fixed length."""
    return causes(replay_of(record_id).review)


@endpoint("/records/{record_id}/steps", Steps, View, problems=(400, 404, 422))
def steps(query: View, record_id: str) -> Steps:
    """A record step by step, with what lies on its table."""
    view = replay_of(record_id, recorded=query.view == "recorded")
    shown = zip(range(len(view.review.steps)), view.review.fingerprints(), changes(view.film.frames), strict=True)
    steps = [_step(view.review, place, digest, *changed) for place, digest, changed in shown]
    return Steps(record_id, view.review.opening.names, view.film.things, steps)


def _step(review: Review, place: int, digest: str, come: list[int], go: list[int]) -> StepView:
    seq, scene = review.steps[place].seq, review.scene(place)
    turns = tuple(seat for seat, row in enumerate(scene.seats) if row.turn)
    scores, gained = review.standing(place).scores, review.gains.get(seq, ())
    words, status = plain(review.words(place)), plain(review.named(scene.status))
    return StepView(seq, words, review.line(place), scores, gained, turns, status, digest, come, go)


@endpoint("/records/{record_id}/story", MomentList, View, problems=(400, 404, 422))
def story(query: View, record_id: str) -> MomentList:
    """The moments of a game: the points, the lead, the contracts, the slips and the end, as far as they mattered."""
    told = replay_of(record_id, recorded=query.view == "recorded").moments
    return for_programs(record_id, told)


@endpoint("/records/{record_id}/history", list[ChangeView], problems=(400, 404, 422))
def history(_query: Nothing, record_id: str) -> list[ChangeView]:
    """The corrections of a record."""
    corrections = replay_of(record_id).review.effective.changes
    return [ChangeView(c.seq, c.target, c.event.why, c.event.when, c.event.by) for c in corrections]


@endpoint("/games", list[GameView])
def games(_query: Nothing) -> list[GameView]:
    """The games, with their options and clauses."""
    return [game_view(game, game) for game in catalog.games()]


@endpoint("/games/{name}", GameView, Rules, problems=(400, 404))
def game(query: Rules, name: str) -> GameView:
    """One game."""
    return game_view(*revision(name, query.rules))


@api.get("/v1/openapi.json")
@api.get("/openapi.json")
def document() -> Response:
    """The OpenAPI document."""
    return Response(
        msgspec.json.encode(openapi(current_app.extensions["endpoints"], request.script_root)),
        content_type="application/json",
    )


@schemas.get("/schema/domino-ledger-1.json")
def record_schema() -> Response:
    """The JSON Schema of a record."""
    answer = Response(msgspec.json.encode(schema()), content_type="application/schema+json")
    answer.headers["Cache-Control"] = "public, max-age=86400"
    answer.headers["Access-Control-Allow-Origin"] = "*"  # it is the same everywhere, and has nothing about any game
    return answer


@api.get("/v1")
@api.get("")
@api.get("/")
def page() -> str:
    """A page that shows the API."""
    return render_template("api_page.html", base=BASE, endpoints=current_app.extensions["endpoints"])
