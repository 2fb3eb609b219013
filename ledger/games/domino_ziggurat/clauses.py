"""What Domino Ziggurat demands, clause by clause, and the titles that it gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ledger import common
from ledger.common import NOTHING
from ledger.events import ACTS, Cheats, Draw, Lift, Place, Result, Score
from ledger.game import Clause, Fault, Points, Standing, Step, clause
from ledger.games.domino_ziggurat.state import HAND, LARGEST, DominoZiggurat, matched, needs_match, playable
from ledger.games.domino_ziggurat.tiers import TIERS, covered, greater, on_foundation, on_tier, squares, supported
from ledger.grid import LEVEL, level_of, said
from ledger.holdings import Proof
from ledger.tiles import names

Faults = Iterable[Fault]

TITLES = (
    "Legendary Architect of the Divine",
    "Master Architect",
    "Reputable Architect",
    "Modest Architect",
    "Feeble Architect",
    "Disgraceful Blundering Saboteur",
)
"""The title by the number of cheats; the last is for that many or more."""


def lies_now(before: DominoZiggurat, after: DominoZiggurat) -> bool:
    """Whether a placement put its domino on the table; one that no table could have shown did not."""
    return after.lies is not before.lies


def on_its_tier(event: Place) -> bool:
    """Whether both halves lie on squares of their tier; then the foundation reaches that far as well."""
    one, other = squares(event)
    return on_tier(one) and on_tier(other)


# ── What no table could have shown ─────────────────────────────────────────────────────────────────────────


def elsewhere(before: DominoZiggurat, event: Draw | Place) -> Iterator[common.Elsewhere]:
    """The tiles that the record has somewhere else already."""
    yield event.tile.bit if event.tile.index in before.lies else 0, "lies on the ziggurat already"
    if type(event) is Draw:
        yield before.hand, "lies in the open hand already"
        yield before.lifted, "was drawn already, and is lifted now"


in_set = common.in_set((Draw, Place, Lift), lambda _state: LARGEST)
once = common.once((Draw, Place), elsewhere)
after_end = common.after_end(ACTS)


# A place holds one half.
@clause("domino-ziggurat.occupied", "A place holds one half.", Place, verdict="impossible")
def occupied(before: DominoZiggurat, event: Place, after: DominoZiggurat, _evidence: object) -> Faults:
    if lies_now(before, after):
        return NOTHING
    return [
        Fault(f"{said(at)} of tier {event.level} is in use already", claimed=said(at))
        for at in squares(event)
        if at in before.halves
    ]


# A placed domino is moved only by cheating, and what rests on it is lifted first.
@clause(
    "domino-ziggurat.lift",
    "A placed domino is moved only by cheating, and what rests on it is lifted first.",
    Lift,
    verdict="impossible",
)
def lift(before: DominoZiggurat, event: Lift, _after: DominoZiggurat, _evidence: object) -> Faults:
    both = before.lies.get(event.tile.index)
    if both is None:
        return [Fault(f"the {event.tile} does not lie on the ziggurat")]
    if covered(before.halves, both):
        return [Fault(f"something rests on the {event.tile}, which is to be lifted first")]
    return NOTHING


# ── The hand ───────────────────────────────────────────────────────────────────────────────────────────────


# Three tiles lie open; one of them is played, and then the hand may be filled up, never beyond three.
@clause(
    "domino-ziggurat.hand",
    "Three tiles lie in the open hand; one of them is played, and the hand may be filled up, never beyond three.",
    Draw,
    Place,
)
def hand(before: DominoZiggurat, event: Draw | Place, _after: DominoZiggurat, evidence: Proof | None) -> Faults:
    return _drawn(before, event) if type(event) is Draw else _played(before, event, evidence)  # type: ignore[arg-type]


def _drawn(before: DominoZiggurat, event: Draw) -> Faults:
    if before.held < HAND or event.tile.bit & before.drawn:
        return NOTHING
    return [Fault(f"{event.player} draws a tile more than the {HAND} of a hand", HAND, before.held + 1)]


def _played(before: DominoZiggurat, event: Place, evidence: Proof | None) -> Faults:
    if event.tile.bit & (before.hand | before.lifted):
        return NOTHING
    if evidence is None:
        lying = names(before.hand)
        return [Fault(f"the {event.tile} is not in the open hand ({lying})", lying, str(event.tile))]
    if not evidence.unproved:
        return NOTHING
    tiles = "1 tile" if evidence.unproved == 1 else f"{evidence.unproved} tiles"
    return [Fault(f"no draw is recorded: nothing proves that {tiles} lay in the open hand", verdict="unproven")]


def holdings(steps: Sequence[Step]) -> dict[int, Proof]:
    """By seq of each placement in a record without any draw: that nothing is known of the hand."""
    placed = []
    for step in steps:
        if isinstance(step.event, Draw):
            return {}
        if isinstance(step.event, Place) and not step.event.tile.bit & step.before.lifted and not step.before.ended:
            placed.append(step.seq)
    return {seq: Proof(None, 0, 0, 0, 0 if n else len(placed)) for n, seq in enumerate(placed)}


# By a ruling, lifted dominoes go back before the next one from the hand.
@clause(
    "domino-ziggurat.lift", "By the ruling put_back, lifted dominoes go back before the next one from the hand.", Place
)
def put_back(before: DominoZiggurat, event: Place, _after: DominoZiggurat, _evidence: object) -> Faults:
    if event.tile.bit & playable(before.rules, event.tile.bit, before.lifted):
        return NOTHING
    lifted = names(before.lifted)
    return [Fault(f"the lifted {lifted} goes back before the {event.tile}", lifted, str(event.tile))]


# ── Placing ────────────────────────────────────────────────────────────────────────────────────────────────


# No half lies outside the foundation.
@clause("domino-ziggurat.foundation", "No half lies outside the foundation.", Place)
def foundation(before: DominoZiggurat, event: Place, after: DominoZiggurat, _evidence: object) -> Faults:
    if on_its_tier(event) or not lies_now(before, after):
        return NOTHING
    outside = [at for at in squares(event) if not on_foundation(at)]
    return [Fault(f"{said(at)} is outside the foundation", claimed=said(at)) for at in outside[:1]]


# Each tier is its centred square and no larger, and there are three.
@clause("domino-ziggurat.tier", "Each tier is its centred square and no larger, and there are three.", Place)
def tier(before: DominoZiggurat, event: Place, after: DominoZiggurat, _evidence: object) -> Faults:
    if on_its_tier(event) or not lies_now(before, after):
        return NOTHING
    if event.level not in TIERS:
        return [Fault(f"there is no tier {event.level}", "1 to 3", event.level)]
    outside = [at for at in squares(event) if on_foundation(at) and not on_tier(at)]
    return [Fault(f"{said(at)} is outside tier {event.level}", claimed=said(at)) for at in outside[:1]]


# Each half rests on the foundation or on a half directly below.
@clause("domino-ziggurat.support", "Each half rests on the foundation or on a half directly below.", Place)
def support(before: DominoZiggurat, event: Place, after: DominoZiggurat, _evidence: object) -> Faults:
    if event.level == 1 or event.level not in TIERS or not lies_now(before, after):
        return NOTHING
    floating = [at for at in squares(event) if not supported(before.halves, at)]
    return [Fault(f"nothing lies below {said(at)} of tier {event.level}") for at in floating[:1]]


# A half is strictly greater than the half directly below it.
@clause("domino-ziggurat.greater", "A half is strictly greater than the half directly below it.", Place)
def strictly_greater(before: DominoZiggurat, event: Place, after: DominoZiggurat, _evidence: object) -> Faults:
    if event.level == 1 or not lies_now(before, after):
        return NOTHING
    for at, half in zip(squares(event), (event.tile.first, event.tile.second), strict=True):
        if not greater(before.halves, at, half):
            below = before.halves[at - LEVEL]
            return [Fault(f"the {half} of the {event.tile} on {said(at)} covers a {below}", f"more than {below}", half)]
    return NOTHING


# At least one half lies beside an equal half, seen from above.
@clause("domino-ziggurat.match", "At least one half lies beside an equal one, seen from above.", Place)
def matching(before: DominoZiggurat, event: Place, after: DominoZiggurat, _evidence: object) -> Faults:
    if not lies_now(before, after) or not needs_match(before.rules, before.halves, event.tile.bit & before.lifted):
        return NOTHING
    if matched(before, event):
        return NOTHING
    return [Fault(f"no half of the {event.tile} on {said(squares(event)[0])} lies beside an equal one")]


# ── Cheating ───────────────────────────────────────────────────────────────────────────────────────────────


# Every domino lifted and put back is a cheat.
@clause("domino-ziggurat.cheats", "Every domino lifted and put back is one cheat.", Cheats, Score)
def cheats(before: DominoZiggurat, event: Cheats | Score, _after: DominoZiggurat, _evidence: object) -> Faults:
    if isinstance(event, Score):
        return common.compare_points(event, dict.fromkeys(before.rules.players, before.cheats), "the cheats")
    if event.count == before.cheats:
        return NOTHING
    return [
        Fault(f"{event.count} cheats are counted, but {before.cheats} dominoes were lifted", before.cheats, event.count)
    ]


def points(before: DominoZiggurat, event: object, after: DominoZiggurat) -> Sequence[Points]:
    """A cheat counts for every player."""
    if type(event) is not Lift or after.cheats == before.cheats:
        return ()
    because = f"the {event.tile} is lifted"
    return [Points(seat, 1, "domino-ziggurat.cheats", because) for seat in range(len(after.rules.players))]


# ── Finishing ──────────────────────────────────────────────────────────────────────────────────────────────


def title_of(state: DominoZiggurat) -> str | None:
    """The title that a finished ziggurat earns; none for an unfinished one."""
    return TITLES[min(state.cheats, len(TITLES) - 1)] if state.ended else None


def standing(state: DominoZiggurat) -> Standing:
    """The cheats, the same for everybody; all have won when the ziggurat is finished."""
    seats = range(len(state.rules.players))
    return Standing(
        state.ended, tuple(state.cheats for _ in seats), tuple(seats) if state.ended else (), title_of(state)
    )


# The ziggurat is finished when all 28 tiles lie 18, 8 and 2 and none is lifted; then all players have won.
@clause(
    "domino-ziggurat.finish",
    "The ziggurat is finished when all 28 tiles lie 18, 8 and 2, and none is lifted.",
    Result,
)
def finish(before: DominoZiggurat, event: Result, _after: DominoZiggurat, _evidence: object) -> Faults:
    if before.ended:
        return common.compare_winners(event, before.rules.players, "all who build it win together")
    lying = len(before.lies)
    counts = [sum(level_of(one) == tier_ for one, _other in before.lies.values()) for tier_ in TIERS]
    so_far = f"{lying} of 28 tiles lie, {' / '.join(map(str, counts))} instead of 18 / 8 / 2"
    return [Fault(f"a result is claimed, but {so_far}", "no result yet", list(event.winners))]


# The fewer cheats, the better the title.
@clause("domino-ziggurat.title", "The number of cheats earns the title.", Result)
def title(before: DominoZiggurat, event: Result, _after: DominoZiggurat, _evidence: object) -> Faults:
    expected = title_of(before)
    if event.title is None or event.title == expected:
        return NOTHING
    if expected is None:
        return [Fault("an unfinished ziggurat earns no title", None, event.title)]
    return [Fault(f"{before.cheats} cheats earn the title {expected}", expected, event.title)]


CLAUSES: tuple[Clause[DominoZiggurat], ...] = (
    in_set,
    once,
    occupied,
    lift,
    put_back,
    after_end,
    hand,
    foundation,
    tier,
    support,
    strictly_greater,
    matching,
    cheats,
    finish,
    title,
)
"""Every clause of the game, in the order in which an event meets them: what is impossible first."""
