"""The recorder's view: everything that a phone at the table shows, and what it can enter next.

The phone only draws it.  This module decides whose turn it is, where a tile may go, what it scored and which rule it
broke, by the same rules that audit the record.
"""

from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from ledger.audit.report_in_a_sentence import summary
from ledger.audit.review import Review, game_over
from ledger.keep.undo import Undo, undoable
from ledger.play.forms import Form, form
from ledger.record import chain
from ledger.record.errors import NotForNow
from ledger.record.events import CLAIMS, MOVES, Close, Correctable, Take, kind
from ledger.record.scene import Grid, Scene, fill_scene
from ledger.rules.game import Judged, Step
from viewer.phone.act_prompts import Prompt, prompts
from viewer.phone.recorded_moves import Moves, ShownEvent, called, count_kept, digest_of, digests_of, moves_of
from viewer.phone.recorder_parts import PageParts, html, page_parts, shared_points

EventNumber = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$", max_length=16)]


class ViewQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where to record: before the event of seq `before`, or after the last.

    `seen` is a version that the phone has seen, and `moves` the `moves_digest` that it got there: the answer then
    contains only the moves that are new or different.  `findings` is the `findings_digest`: the answer then contains no
    findings if they are still the same.
    """

    before: EventNumber | None = None
    seen: EventNumber | None = None
    moves: Digest | None = None
    findings: Digest | None = None


NEWEST = ViewQuery()


class Remark(Struct, frozen=True):
    """A finding about an event, with the meaning of its clause; `message` uses names, `move` is ``move 17``."""

    seq: int
    move: str
    verdict: str
    clause: str
    meaning: str
    message: str


def remark(review: Review, finding: Judged) -> Remark:
    """A finding with names and the meaning of its clause."""
    meaning, message = review.meaning(finding.clause), review.message(finding)
    return Remark(finding.seq, review.called(finding.seq), finding.verdict, finding.clause, meaning, message)


UNDOS = 10
"""How many things that were done a view says how to take back: a phone without the rules can go back so far."""

AROUND = 8
"""How many squares beyond those that can come into use have names: so far a table that does something else may go."""


class Agreement(Struct, frozen=True):
    """A player who confirmed the record; `true`: this very record, `last`: nothing has changed since."""

    player: str
    true: bool
    last: bool


class SquareNames(Struct, frozen=True):
    """The names of the columns from `left` on and of the rows from `top` on: what can be shown or tapped soon.

    A square outside has none.  Without squares there are no names.
    """

    left: int = 0
    top: int = 0
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()


class RecorderView(Struct, frozen=True):
    """A record as a recorder sees it, after its last event, or before the event of seq `before`.

    `players` are id and name by seat.  `result` lists the claims to make at the end, `claims` the kinds of claims that
    the game knows, `outcome` is a sentence about the scores and the winner, `summary` the report in one sentence.
    `squares` are the names of the squares.

    `link` is the link of the last event, `record_digest` is what players confirm, `fingerprint` is the same for people,
    and `agreed` lists who confirmed.

    `calls` are the claims that the table makes after the last move, as the rules count, except those already recorded.

    `undo` is what Undo takes back: the things done last, the latest first, at most `UNDOS`.

    `prompts` are the kinds of acts in the order in which they are offered, and `parts` the pieces of the page as HTML.

    `kept` is the number of first moves that the asking phone already has; `moves` are those after them, and
    `moves_digest` is the digest of all.  `findings` are None if that phone has them, by their `findings_digest`.
    """

    id: str
    version: int
    title: str
    game: str
    players: tuple[tuple[str, str], ...]
    squares: SquareNames
    scene: Scene
    form: Form
    prompts: tuple[Prompt, ...]
    parts: PageParts
    kept: int
    moves: tuple[ShownEvent, ...]
    moves_digest: str
    findings: tuple[Remark, ...] | None
    findings_digest: str
    verdict: str
    summary: str
    ended: bool
    closed: bool
    outcome: str
    result: tuple[Correctable, ...]
    claims: tuple[str, ...]
    calls: tuple[Correctable, ...]
    link: str
    record_digest: str
    fingerprint: str
    agreed: tuple[Agreement, ...]
    undo: tuple[Undo, ...]
    before: int | None = None


def recorder_view(review: Review, query: ViewQuery = NEWEST) -> RecorderView:
    """A record as its recorder sees it, with everything that can be entered next.

    Raises NotForNow for a `before` that is not an effective event after the opening.
    """
    record, place, seen = review.record, len(review.steps), query.seen
    if query.before is not None:
        place = review.place(query.before) or 0
        if not place:
            raise NotForNow(f"event {query.before} does not exist, was retracted, or is the opening")
    links = (chain.FIRST, *chain.links(map(chain.chained_bytes, record.events)))
    moves = moves_of(review)
    digests = digests_of(moves)
    state = review.steps[place - 1].after
    opening = review.opening
    record_digest = links[chain.digest_length(record.events)]
    kept = count_kept(review, moves, digests, seen, query.moves) if seen and query.moves else 0
    findings = tuple(remark(review, finding) for finding in review.judged)
    scene, next_form = _with_names(review, review.game.scene(state)), form(review.game, opening, state)
    claims = tuple(kind(event) for event in review.game.events if event in CLAIMS)
    return RecorderView(
        id=review.name,
        version=len(record.events),
        title=review.game.title,
        game=review.game.name,
        players=tuple(zip(opening.players, opening.names, strict=True)),
        squares=_square_names(review, scene),
        scene=scene,
        form=next_form,
        prompts=prompts(review.game, review.steps[:place]),
        parts=page_parts(review, place, scene, next_form, moves, claims),
        kept=kept,
        moves=_lines(review, moves[kept:]),
        moves_digest=digests[-1],
        findings=None if query.findings == digest_of(findings) else findings,
        findings_digest=digest_of(findings),
        verdict=review.report.verdict,
        summary=summary(review, calm=True),
        ended=bool(review.steps[-1].after.ended),
        closed=any(type(step.event) is Close for step in review.steps),
        outcome=_outcome(review),
        result=_result(review),
        claims=claims,
        calls=_calls(review) if query.before is None else (),
        link=links[-1].hex(),
        record_digest=record_digest.hex(),
        fingerprint=chain.fingerprint(record_digest),
        agreed=tuple(
            Agreement(confirmation.player, confirmation.true, confirmation.last)
            for confirmation in chain.confirmations(record)
        ),
        undo=undoable(record.events, UNDOS),
        before=query.before,
    )


def _lines(review: Review, moves: Moves) -> tuple[ShownEvent, ...]:
    players, shared = tuple(zip(review.opening.players, review.opening.names, strict=True)), shared_points(review)
    return tuple(
        ShownEvent(
            move.phrase.seq,
            move.phrase.sentence,
            called(move.phrase, review.opening.names),
            html("line", move, players, shared),
            move.event,
        )
        for move in moves
    )


def _with_names(review: Review, scene: Scene) -> Scene:
    names = dict(zip(review.opening.players, review.opening.names, strict=True))
    seats = tuple(replace(seat, name=names.get(seat.name, seat.name)) for seat in scene.seats)
    return fill_scene(replace(scene, seats=seats), review.named)


def _square_names(review: Review, scene: Scene) -> SquareNames:
    squares = review.squares
    bounds = [area.reach or area.bounds for area in scene.areas if isinstance(area, Grid)]
    if not bounds:
        return SquareNames()
    right, top = max(right for _, _, right, _ in bounds) + AROUND, min(top for _, top, _, _ in bounds) - AROUND
    columns = tuple(squares.column(x) for x in range(squares.left, right + 1))
    return SquareNames(squares.left, top, columns, tuple(squares.row(y) for y in range(top, squares.bottom + 1)))


def _outcome(review: Review) -> str:
    standing, names = review.standing(), list(review.names.values())
    if standing.finished:
        return game_over(standing, names)
    return ", ".join(f"{name} {score}" for name, score in zip(names, standing.scores, strict=True))


def _calls(review: Review) -> tuple[Correctable, ...]:
    """What the table calls after the last move, unless the game is over: then the result is called."""
    last = next((step for step in reversed(review.steps) if type(step.event) in MOVES), None)
    if last is None or review.steps[-1].after.ended:
        return ()
    claims = _claims_after(review, last)
    return tuple(claim for claim in claims if isinstance(claim, Take) or getattr(claim, "scope", "") == "hand")


def _result(review: Review) -> tuple[Correctable, ...]:
    """The claims to make when the game is over, except those already recorded."""
    final: Any = next((step for step in review.steps if step.after.ended and not step.before.ended), None)
    return () if final is None else _claims_after(review, final)


def _claims_after(review: Review, last: Step) -> tuple[Correctable, ...]:
    """The claims that a careful table makes after a step, except those recorded since."""
    _act, *claims = review.game.claims(last.before, last.event, last.after)
    place = review.place(last.seq) or 0
    recorded = {(type(step.event), getattr(step.event, "scope", None)) for step in review.steps[place + 1 :]}
    return tuple(claim for claim in claims if (type(claim), getattr(claim, "scope", None)) not in recorded)
