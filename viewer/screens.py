"""The screen of a recorder: everything that a phone at the table shows of a record, and what it can enter next.

The phone draws it and decides nothing: whose turn it is, where a tile may go, what it scored and which rule it broke
are said here, by the same rules that audit the record.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger import chain
from ledger.errors import NotForNow
from ledger.events import CLAIMS, Close, Correctable, Open, kind
from ledger.forms import Form, form
from ledger.game import Finding
from ledger.record import Record
from ledger.review import Review
from ledger.scene import Grid, Row, Scene


class Said(Struct, frozen=True):
    """What the audit says of an event, with the meaning of the clause; `message` names people."""

    seq: int
    verdict: str
    clause: str
    meaning: str
    message: str


class Recorded(Struct, frozen=True):
    """An event that stands in the record: its seq, a sentence, what it scored, and the event itself."""

    seq: int
    words: str
    gained: int
    event: Correctable


class Agreed(Struct, frozen=True):
    """A player who confirmed the record; `true` if it was this one, `last` if nothing was changed since."""

    player: str
    true: bool
    last: bool


class Screen(Struct, frozen=True):
    """A record as a recorder sees it, at its last event, or before the event of seq `before`.

    `players` are id and name by seat.  `result` are the claims that a careful table makes at the end; `claims` the
    kinds of claims that the game knows; `outcome` a sentence about the scores and who won.

    `link` is the link of the last event, `record_digest` is what players confirm, `fingerprint` is the same for people,
    and `agreed` lists who confirmed.  `then` is the link at the version that the asking phone has seen.
    """

    id: str
    version: int
    title: str
    game: str
    players: tuple[tuple[str, str], ...]
    scene: Scene
    form: Form
    moves: tuple[Recorded, ...]
    findings: tuple[Said, ...]
    verdict: str
    ended: bool
    closed: bool
    outcome: str
    result: tuple[Correctable, ...]
    claims: tuple[str, ...]
    link: str
    record_digest: str
    fingerprint: str
    agreed: tuple[Agreed, ...]
    before: int | None = None
    then: str | None = None


def screen(record_id: str, record: Record, before: int | None = None, seen: int | None = None) -> Screen:
    """The screen of a record.

    Raises UnknownGame, NotARecord for an opening that the game cannot read, NotForNow for a `before` that is no event
    after the opening.
    """
    review = Review(record, record_id)
    state = review.steps[-1].after
    if before is not None:
        found = review.place(before)
        if not found:
            raise NotForNow(f"there is no event {before} after the opening that still stands")
        state = review.steps[found].before
    gained: dict[int, int] = {}
    for scored in review.scored:
        gained[scored.seq] = gained.get(scored.seq, 0) + scored.reason.points
    moves = tuple(
        Recorded(step.seq, review.words(n), gained.get(step.seq, 0), step.event)
        for n, step in enumerate(review.steps)
        if type(step.event) is not Open
    )
    opening = review.opening
    links = (chain.FIRST, *chain.links(map(chain.chained_bytes, record.events)))
    digest = links[chain.digest_length(record.events)]
    return Screen(
        id=record_id,
        version=len(record.events),
        title=review.game.title,
        game=review.game.name,
        players=tuple(zip(opening.players, opening.names, strict=True)),
        scene=_named(review, review.game.scene(state)),
        form=form(review.game, opening, state),
        moves=moves,
        findings=tuple(said(review, finding) for finding in review.report.findings),
        verdict=review.report.verdict,
        ended=bool(review.steps[-1].after.ended),
        closed=any(type(step.event) is Close for step in review.steps),
        outcome=_outcome(review),
        result=_result(review),
        claims=tuple(kind(each) for each in review.game.events if each in CLAIMS),
        link=links[-1].hex(),
        record_digest=digest.hex(),
        fingerprint=chain.fingerprint(digest),
        agreed=tuple(Agreed(each.player, each.true, each.last) for each in chain.confirmations(record)),
        before=before,
        then=links[seen].hex() if seen is not None and seen < len(links) else None,
    )


def said(review: Review, finding: Finding) -> Said:
    """A finding for people."""
    meaning, message = review.meaning(finding.clause), review.named(finding.message)
    return Said(finding.seq, finding.verdict, finding.clause, meaning, message)


def _named(review: Review, scene: Scene) -> Scene:
    """A scene with names where it has ids."""
    areas: list[Grid | Row] = []
    for area in scene.areas:
        if isinstance(area, Row):
            piles = tuple(replace(pile, label=review.named(pile.label)) for pile in area.piles)
            areas.append(replace(area, title=review.named(area.title), piles=piles))
        else:
            areas.append(area)
    seats = tuple(replace(seat, name=review.named(seat.name)) for seat in scene.seats)
    return replace(scene, seats=seats, areas=tuple(areas), status=review.named(scene.status))


def _outcome(review: Review) -> str:
    standing, names = review.standing(), review.opening.names
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, standing.scores, strict=True))
    if not standing.finished:
        return scores
    winners = " and ".join(names[seat] for seat in standing.winners) or "nobody"
    return f"{winners} won: {scores}" + (f", {standing.title}" if standing.title else "")


def _result(review: Review) -> tuple[Correctable, ...]:
    """What a careful table says when the game is over, as far as the record does not have it yet."""
    made: Any = next((step for step in review.steps if step.after.ended and not step.before.ended), None)
    if made is None:
        return ()
    claims = review.game.claims(made.before, made.event, made.after).claims
    there = {(type(step.event), getattr(step.event, "scope", None)) for step in review.steps if step.seq > made.seq}
    return tuple(claim for claim in claims if (type(claim), getattr(claim, "scope", None)) not in there)
