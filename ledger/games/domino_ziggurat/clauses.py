"""What Domino Ziggurat demands, clause by clause, and the titles that it gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ledger import common
from ledger.common import NOTHING
from ledger.events import ACTS, Cheats, Draw, Lift, Place, Result, Score
from ledger.game import Clause, Fault, Points, Standing, Step
from ledger.games.domino_ziggurat.table import HAND, LARGEST, DominoZiggurat, match, matched, needs_match, playable
from ledger.games.domino_ziggurat.tiers import (
    EVERY,
    TIERS,
    covered,
    greater,
    on_foundation,
    on_tier,
    squares,
    supported,
)
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


def placing(before: DominoZiggurat, event: Place, after: DominoZiggurat) -> str:
    """In which moment a placement comes, which tells the clauses that can speak of it.

    *stuck* leaves the ziggurat as it is, since no table could have shown it, or since it is finished.  *off* lies
    partly off the squares of a tier; on them it is *ground*, or higher up *above*.  It is *apart* where not every
    reading finds an equal half beside it.
    """
    if after.lies is before.lies:
        return "stuck"
    one, other = squares(event)
    apart = match(before.halves, event) != EVERY
    if not (on_tier(one) and on_tier(other)):
        return "off apart" if apart else "off"
    if event.level == 1:
        return "ground apart" if apart else "ground"
    return "above apart" if apart else "above"


OFF, ABOVE = ("off", "off apart"), ("above", "above apart")
APART = ("ground apart", "above apart", "off apart")


def lifting(before: DominoZiggurat, _event: Lift, after: DominoZiggurat) -> str:
    """In which moment a domino is lifted: *stuck* leaves it where it lies, or does not find it there."""
    return "stuck" if after.lies is before.lies else "up"


# ── The hand ───────────────────────────────────────────────────────────────────────────────────────────────


# Three tiles lie open; one of them is played, and then the hand may be filled up, never beyond three.
def hand(before: DominoZiggurat, event: Draw | Place, _after: DominoZiggurat, proof: Proof | None) -> Faults:
    if type(event) is Draw:
        found = before.held
        if found < HAND or event.tile.bit & before.drawn:
            return NOTHING
        return [Fault(f"{event.player} draws a tile more than the {HAND} of a hand", HAND, found + 1)]
    bit = event.tile.bit
    if bit & (before.hand | before.lifted):
        return NOTHING
    if proof is not None and proof.held is None:
        if not proof.unproved:
            return NOTHING
        many = "1 tile" if proof.unproved == 1 else f"{proof.unproved} tiles"
        return [Fault(f"no draw is recorded: nothing proves that {many} lay in the open hand", verdict="unproven")]
    return [
        Fault(f"the {event.tile} is not in the open hand ({names(before.hand)})", names(before.hand), str(event.tile))
    ]


def holdings(steps: Sequence[Step]) -> dict[int, Proof]:
    """By seq of each placement in a record without any draw: that nothing is known of the hand."""
    placed = []
    for step in steps:
        if isinstance(step.event, Draw):
            return {}
        if isinstance(step.event, Place) and not step.event.tile.bit & step.before.lifted and not step.before.ended:
            placed.append(step.seq)
    return {seq: Proof(None, 0, 0, 0, 0 if n else len(placed)) for n, seq in enumerate(placed)}


def elsewhere(before: DominoZiggurat, event: Draw | Place) -> Iterator[common.Elsewhere]:
    """The tiles that the record has somewhere else already."""
    yield sum(1 << index for index in before.lies), "lies on the ziggurat already"
    if type(event) is Draw:
        yield before.hand, "lies in the open hand already"
        yield before.lifted, "was drawn already, and is lifted now"


# ── Placing ────────────────────────────────────────────────────────────────────────────────────────────────


# No half lies outside the foundation.
def foundation(_before: DominoZiggurat, event: Place, _after: DominoZiggurat, _proof: object) -> Faults:
    outside = [at for at in squares(event) if not on_foundation(at)]
    return [Fault(f"{said(at)} is outside the foundation", claimed=said(at)) for at in outside[:1]]


# Each tier is its centred square and no larger, and there are three.
def tier(_before: DominoZiggurat, event: Place, _after: DominoZiggurat, _proof: object) -> Faults:
    if event.level not in TIERS:
        return [Fault(f"there is no tier {event.level}", "1 to 3", event.level)]
    outside = [at for at in squares(event) if on_foundation(at) and not on_tier(at)]
    return [Fault(f"{said(at)} is outside tier {event.level}", claimed=said(at)) for at in outside[:1]]


# Each half rests on the foundation or on a half directly below.
def support(before: DominoZiggurat, event: Place, _after: DominoZiggurat, _proof: object) -> Faults:
    one, other = squares(event)
    if event.level not in TIERS or (supported(before.halves, one) and supported(before.halves, other)):
        return NOTHING
    floating = [at for at in (one, other) if not supported(before.halves, at)]
    return [Fault(f"nothing lies below {said(at)} of tier {event.level}") for at in floating[:1]]


# A half is strictly greater than the half directly below it.
def strictly_greater(before: DominoZiggurat, event: Place, _after: DominoZiggurat, _proof: object) -> Faults:
    one, other = squares(event)
    for at, half in ((one, event.tile.first), (other, event.tile.second)):
        if not greater(before.halves, at, half):
            below = before.halves[at - LEVEL]
            return [Fault(f"the {half} of the {event.tile} on {said(at)} covers a {below}", f"more than {below}", half)]
    return NOTHING


# At least one half is beside an equal half, seen from above.
def matching(before: DominoZiggurat, event: Place, _after: DominoZiggurat, _proof: object) -> Faults:
    if not needs_match(before.rules, before.halves, event.tile.bit & before.lifted) or matched(before, event):
        return NOTHING
    return [Fault(f"no half of the {event.tile} on {said(squares(event)[0])} lies beside an equal one")]


# A place holds one half.
def occupied(before: DominoZiggurat, event: Place, _after: DominoZiggurat, _proof: object) -> Faults:
    return [
        Fault(f"{said(at)} of tier {event.level} is in use already", claimed=said(at))
        for at in squares(event)
        if at in before.halves
    ]


# ── Cheating ───────────────────────────────────────────────────────────────────────────────────────────────


# A placed domino is moved only by cheating, and what rests on it is lifted first.
def lift(before: DominoZiggurat, event: Lift, _after: DominoZiggurat, _proof: object) -> Faults:
    both = before.lies.get(event.tile.index)
    if both is None:
        return [Fault(f"the {event.tile} does not lie on the ziggurat")]
    if covered(before.halves, both):
        return [Fault(f"something rests on the {event.tile}, which is to be lifted first")]
    return NOTHING


# By a ruling, lifted dominoes go back before the next one from the hand.
def put_back(before: DominoZiggurat, event: Place, _after: DominoZiggurat, _proof: object) -> Faults:
    if event.tile.bit & playable(before.rules, event.tile.bit, before.lifted):
        return NOTHING
    return [
        Fault(
            f"the lifted {names(before.lifted)} goes back before the {event.tile}",
            names(before.lifted),
            str(event.tile),
        )
    ]


# Every domino lifted and put back is a cheat.
def cheats(before: DominoZiggurat, event: Cheats | Score, _after: DominoZiggurat, _proof: object) -> Faults:
    if isinstance(event, Score):
        return common.compare_points(event, dict.fromkeys(before.rules.players, before.cheats), "the cheats")
    if event.count == before.cheats:
        return NOTHING
    return [
        Fault(f"{event.count} cheats are counted, but {before.cheats} dominoes were lifted", before.cheats, event.count)
    ]


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
def finish(before: DominoZiggurat, event: Result, _after: DominoZiggurat, _proof: object) -> Faults:
    if before.ended:
        return common.compare_winners(event, before.rules.players, "all who build it win together")
    lying = len(before.lies)
    counts = [sum(level_of(one) == tier_ for one, _other in before.lies.values()) for tier_ in TIERS]
    so_far = f"{lying} of 28 tiles lie, {' / '.join(map(str, counts))} instead of 18 / 8 / 2"
    return [Fault(f"a result is claimed, but {so_far}", "no result yet", list(event.winners))]


# The fewer cheats, the better the title.
def title(before: DominoZiggurat, event: Result, _after: DominoZiggurat, _proof: object) -> Faults:
    expected = title_of(before)
    if event.title is None or event.title == expected:
        return NOTHING
    if expected is None:
        return [Fault("an unfinished ziggurat earns no title", None, event.title)]
    return [Fault(f"{before.cheats} cheats earn the title {expected}", expected, event.title)]


def points(before: DominoZiggurat, event: object, after: DominoZiggurat) -> Sequence[Points]:
    """A cheat counts for every player."""
    if type(event) is not Lift or after.cheats == before.cheats:
        return ()
    because = f"the {event.tile} is lifted"
    return [Points(seat, 1, "domino-ziggurat.cheats", because) for seat in range(len(after.rules.players))]


CLAUSES: tuple[Clause[DominoZiggurat], ...] = (
    common.in_set((Draw, Place, Lift), lambda _state: LARGEST, at=("stuck",)),
    common.once((Draw, Place), elsewhere, at=("stuck",)),
    Clause("domino-ziggurat.occupied", "A place holds one half.", (Place,), occupied, "impossible",
           at=("stuck",)),
    Clause("domino-ziggurat.lift", "A placed domino is moved only by cheating, and what rests on it is lifted first.",
           (Lift,), lift, "impossible", at=("stuck",)),
    Clause("domino-ziggurat.lift", "By the ruling put_back, lifted dominoes go back before the next one from the hand.",
           (Place,), put_back),
    common.after_end(ACTS),
    Clause("domino-ziggurat.hand", "Three tiles lie in the open hand; one of them is played, and the hand may be "
           "filled up, never beyond three.", (Draw, Place), hand),
    Clause("domino-ziggurat.foundation", "No half lies outside the foundation.", (Place,), foundation,
           at=OFF),
    Clause("domino-ziggurat.tier", "Each tier is its centred square and no larger, and there are three.",
           (Place,), tier, at=OFF),
    Clause("domino-ziggurat.support", "Each half rests on the foundation or on a half directly below.",
           (Place,), support, at=(*OFF, *ABOVE)),
    Clause("domino-ziggurat.greater", "A half is strictly greater than the half directly below it.",
           (Place,), strictly_greater, at=(*OFF, *ABOVE)),
    Clause("domino-ziggurat.match", "At least one half lies beside an equal one, seen from above.",
           (Place,), matching, at=APART),
    Clause("domino-ziggurat.cheats", "Every domino lifted and put back is one cheat.", (Cheats, Score), cheats),
    Clause("domino-ziggurat.finish", "The ziggurat is finished when all 28 tiles lie 18, 8 and 2, and none "
           "is lifted.", (Result,), finish),
    Clause("domino-ziggurat.title", "The number of cheats earns the title.", (Result,), title),
)  # fmt: skip
"""Every clause of the game, in the order in which an event meets them: what is impossible first."""
