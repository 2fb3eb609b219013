"""What Ziggurat demands, clause by clause, and why it scores what it scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ledger import common
from ledger.common import NOTHING
from ledger.events import ACTS, Aside, Deal, Pass, Place, Result, Score
from ledger.game import Clause, Fault, Points, Standing, Step
from ledger.games.ziggurat.base import equals, scoring
from ledger.games.ziggurat.table import (
    Ziggurat,
    alike,
    completable,
    factor,
    holding,
    lying,
    open_level,
    places,
    squares,
    touching,
)
from ledger.grid import LEVEL, said
from ledger.holdings import Hand, Proof, prove
from ledger.tiles import full, mask

Faults = Iterable[Fault]


def moment(before: Ziggurat, event: Place, after: Ziggurat) -> str:
    """In which moment a placement comes, which tells the clauses that can speak of it.

    *stuck* leaves the table as it is, since no table could have shown it, or since the game is over.  On the base it is
    *ground*, higher up *above*, or *begins* where it begins a level; *again* below the level reached: then only that,
    and the score, is to be said of where it lies.
    """
    level, reached = event.level, before.level
    if after.lies is before.lies:
        return "stuck"
    if level == 1:
        return "ground" if reached < 2 else "ground again"
    if level == reached:
        return "above"
    return "begins" if level > reached else "above again"


# ── Setting up and taking turns ────────────────────────────────────────────────────────────────────────────


# The set is dealt evenly, and what is left over is out of the game.
def deal(before: Ziggurat, event: Deal | Place, _after: Ziggurat, _proof: Proof | None) -> Faults:
    rules = before.rules
    if isinstance(event, Place):
        if event.tile.bit & before.aside:
            return [Fault(f"the {event.tile} was set aside and is out of the game", claimed=str(event.tile))]
        return NOTHING
    found = mask(event.tiles).bit_count()
    if found > rules.share:
        said_ = f"{event.player} is dealt {found} tiles, more than the even share of {rules.share}"
        return [Fault(said_, rules.share, found)]
    size = None if event.partial else alike(before.dealt, before.whole, rules.seat[event.player])
    if size is not None and found != size:
        return [Fault(f"{event.player} is dealt {found} tiles, another player {size}", size, found)]
    return NOTHING


def elsewhere(before: Ziggurat, event: Deal | Aside | Place) -> Iterator[common.Elsewhere]:
    """The tiles that the record has somewhere else already."""
    if before.lies:
        yield lying(before), "lies on the table already"
    if type(event) is Place:
        return
    players = before.rules.players
    for player, dealt in zip(players, before.dealt, strict=True):
        if player != event.player or type(event) is Aside:
            yield dealt, f"was dealt to {player}"
    if type(event) is Deal:
        yield before.aside, "was set aside"


# Play passes from the first player to the left, one domino a turn, and nobody passes.
def turn(before: Ziggurat, event: Place | Pass, _after: Ziggurat, _proof: Proof | None) -> Faults:
    if type(event) is Pass:
        return [Fault(f"{event.player} passes, but every turn is one domino")]
    rules = before.rules
    if before.turn is None or before.turn == rules.seat[event.player]:
        return NOTHING
    who = rules.players[before.turn]
    return [Fault(f"it was {who}'s turn, not {event.player}'s", who, event.player)]


# ── The base ───────────────────────────────────────────────────────────────────────────────────────────────


# Every base domino but the first shares an edge with one that lies there.
def touch(before: Ziggurat, event: Place, _after: Ziggurat, _proof: Proof | None) -> Faults:
    one, other = squares(event)
    if not before.halves or touching(before.rules, before.halves, one, other):
        return NOTHING
    how = "shares no edge or corner" if before.rules.corners else "shares no edge"
    return [Fault(f"the {event.tile} on {said(one)} and {said(other)} {how} with any domino")]


# The base stays within one 4 × 4 window, any that holds all its squares.
def window(before: Ziggurat, event: Place, after: Ziggurat, _proof: Proof | None) -> Faults:
    # A base too wide already is not accused again.
    if after.halves.top.base is not None or before.halves.top.base is None:
        return NOTHING
    where = "the 4 × 4 that was drawn" if before.rules.drawn else "any one 4 × 4"
    return [Fault(f"with the {event.tile} on {said(squares(event)[0])} the base is outside {where}")]


# The finished base has no gaps: a domino is legal only while the rest of some window can still be filled.
def no_gaps(before: Ziggurat, event: Place, after: Ziggurat, _proof: Proof | None) -> Faults:
    rules, base = before.rules, after.halves.top.base
    if base is None or completable(rules, base) or not completable(rules, before.halves.top.base):
        return NOTHING
    return [
        Fault(f"with the {event.tile} on {said(squares(event)[0])} the rest of the 4 × 4 cannot be filled any more")
    ]


# A square of a level holds one half.
def occupied(before: Ziggurat, event: Place, _after: Ziggurat, _proof: Proof | None) -> Faults:
    return [
        Fault(f"square {said(at)} of level {event.level} is in use already", claimed=said(at))
        for at in squares(event)
        if at in before.halves
    ]


# ── Building ───────────────────────────────────────────────────────────────────────────────────────────────


# Above the base a domino covers two squares that are occupied on the level below.
def cover(before: Ziggurat, event: Place, _after: Ziggurat, _proof: Proof | None) -> Faults:
    one, other = squares(event)
    halves = before.halves
    if one - LEVEL in halves and other - LEVEL in halves:
        return NOTHING
    vacant = [at for at in (one, other) if at - LEVEL not in halves]
    where = " and ".join(said(at) for at in vacant)
    return [Fault(f"nothing lies below the {event.tile} on {where}, level {event.level - 1}")]


# A level above is begun only when no play is left on the one reached, whether it would score or not.
def level_finish(before: Ziggurat, event: Place, _after: Ziggurat, _proof: Proof | None) -> Faults:
    reached = max(before.level, 1)
    if before.finished or not open_level(before):
        return NOTHING
    free = places(before, reached) if reached > 1 else []
    where = f", for example on {said(free[0][0])} and {said(free[0][1])}" if free else ""
    return [Fault(f"level {event.level} is begun while level {reached} still has a place{where}", reached, event.level)]


# A finished level is finished: nothing is played below the level reached.
def level_closed(before: Ziggurat, event: Place, _after: Ziggurat, _proof: Proof | None) -> Faults:
    return [Fault(f"level {event.level} is finished, level {before.level} is being built", before.level, event.level)]


# ── Scoring ────────────────────────────────────────────────────────────────────────────────────────────────


# The base scores its matching squares; a level above scores the squares that equal what they cover, times the level.
def score(before: Ziggurat, event: Place, after: Ziggurat, _proof: Proof | None) -> Faults:
    claimed = event.points
    if claimed is None:
        return NOTHING
    seat = before.rules.seat[event.player]
    expected = after.scores[seat] - before.scores[seat]
    if claimed == expected:
        return NOTHING
    why = "; ".join(because for _points, because in reasons(before, event)) or "nothing equals a neighbour of it"
    return [Fault(f"{event.tile} scores {expected}, not {event.points}: {why}", expected, event.points)]


def reasons(before: Ziggurat, event: Place) -> list[tuple[int, str]]:
    """What a placement scores, square by square, and because of what."""
    one, other = squares(event)
    tile, halves = event.tile, before.halves
    if event.level == 1:
        near, far = equals(halves, one, other, tile.first, tile.second)
        return [
            (1, f"its {pips} on {said(at)} equals the one on {said(found)}")
            for at, pips, equal in ((one, tile.first, near), (other, tile.second, far))
            for found in equal[: scoring(before.rules.per_match, len(equal))]
        ]
    times = factor(before.rules, event.level)
    return [
        (times, f"its {pips} on {said(at)} covers a {pips}, times {times}")
        for at, pips in ((one, tile.first), (other, tile.second))
        if halves.get(at - LEVEL) == pips
    ]


def points(before: Ziggurat, event: object, after: Ziggurat) -> Sequence[Points]:
    """The reasons for what a placement scored."""
    if type(event) is not Place or after.lies is before.lies:
        return ()
    seat = before.rules.seat[event.player]
    clause = "ziggurat.base.score" if event.level == 1 else "ziggurat.build.score"
    return [Points(seat, points, clause, because) for points, because in reasons(before, event) if points]


# ── The end ────────────────────────────────────────────────────────────────────────────────────────────────


# Most points win; then fewest dominoes left in hand; then the win is shared.
def standing(state: Ziggurat) -> Standing:
    """The scores so far; the winners when the game has ended."""
    return Standing(state.ended, state.scores, winners(state) if state.ended else ())


def winners(state: Ziggurat) -> tuple[int, ...]:
    """The seats that win if the game ends now."""
    leaders = common.greatest(state.scores)
    if len(leaders) == 1:
        return leaders
    left = holding(state)
    fewest = min(left[seat] for seat in leaders)
    return tuple(seat for seat in leaders if left[seat] == fewest)


def win(before: Ziggurat, event: Score | Result, _after: Ziggurat, _proof: Proof | None) -> Faults:
    players = before.rules.players
    if isinstance(event, Score):
        return common.compare_points(event, common.by_player(players, before.scores), "the total")
    if not before.ended:
        return NOTHING
    leaders = common.greatest(before.scores)
    why = f"{max(before.scores)} is the most points"
    if len(leaders) > 1:
        why += ", and then the fewest dominoes left count"
    return common.compare_winners(event, [players[seat] for seat in winners(before)], why)


# The game ends when every dealt domino has been played, or when a new level would have exactly one valid place.
def end(before: Ziggurat, event: object, _after: Ziggurat, _proof: Proof | None) -> Faults:
    if type(event) is not Result:
        if before.ended and not before.past:
            return [Fault("the game had ended when this was recorded")]
        return NOTHING
    if before.ended:
        return NOTHING
    unplayed = sum(holding(before))
    return [
        Fault(f"a result is claimed, but {unplayed} dominoes can still be played", "no result yet", list(event.winners))
    ]


# ── What the record proves about hands ─────────────────────────────────────────────────────────────────────


def holdings(steps: Sequence[Step]) -> dict[int, Proof]:
    """By seq of each placement, what the whole record proves about the player's hand."""
    if Place not in {type(step[1]) for step in steps}:
        return {}
    last: Ziggurat = steps[-1].after
    # What was dealt while strides passed over it is written in the state; tiles of no such set are in the events alone.
    rules, whole, aside = last.rules, last.whole, last.aside
    hands = [Hand(seat, 0, rules.share, tiles, bool(whole >> seat & 1)) for seat, tiles in enumerate(last.dealt)]
    for seq, event, before, _after in steps:
        if before.ended:
            continue
        if type(event) is Place:
            hands[rules.seat[event.player]].acts.append((seq, event.tile.bit))
        elif type(event) is Deal:
            hands[rules.seat[event.player]].written |= mask(event.tiles)
        elif type(event) is Aside:
            aside |= mask(event.tiles)
    doubtful = [hand for hand in hands if not hand.plain]
    for hand in doubtful:
        hand.foreign = aside
        for other in hands:
            if other is not hand:
                hand.foreign |= other.written
                hand.gone |= other.played
    return prove(doubtful, full(rules.largest)) if doubtful else {}


CLAUSES: tuple[Clause[Ziggurat], ...] = (
    common.in_set((Deal, Aside, Place), lambda state: state.rules.largest, at=("stuck",)),
    common.once((Deal, Aside, Place), elsewhere, at=("stuck",)),
    Clause("ziggurat.occupied", "A square of a level holds one half.", (Place,), occupied, "impossible",
           at=("stuck",)),
    Clause("ziggurat.end", "The game ends when every dealt domino has been played, or when a new level would have "
           "exactly one valid place; no act comes after that and no result before.", (*ACTS, Result), end, late=True),
    Clause("ziggurat.setup.deal", "The set is dealt evenly, and what is left over is out of the game.",
           (Deal, Place), deal),
    Clause("ziggurat.turn", "Play passes from the first player to the left, one domino a turn, and nobody passes.",
           (Place, Pass), turn),
    common.held((Place,), unless=lambda before, event: event.tile.bit & before.aside),
    Clause("ziggurat.base.touch", "Every base domino but the first touches one that lies there.", (Place,), touch,
           at=("ground",)),
    Clause("ziggurat.base.grid", "Squares line up with squares. The record's grid can show nothing else; a table that "
           "did otherwise writes a note."),
    Clause("ziggurat.base.window", "The base stays within one 4 × 4 window.", (Place,), window, at=("ground",)),
    Clause("ziggurat.base.no-gaps", "The base is filled without gaps: some window can still be filled after every "
           "domino.", (Place,), no_gaps, at=("ground",)),
    Clause("ziggurat.level.closed", "A finished level is finished: nothing is played on it any more.",
           (Place,), level_closed, at=("ground again", "above again")),
    Clause("ziggurat.level.finish", "A level above is begun only when no play is left on the current one.",
           (Place,), level_finish, at=("begins",)),
    Clause("ziggurat.build.cover", "Above the base a domino covers two squares that are occupied on the level below.",
           (Place,), cover, at=("above", "begins")),
    Clause("ziggurat.base.score", "A base domino scores a point for each of its squares that equals a neighbour.",
           (Place,), score, at=("ground", "ground again")),
    Clause("ziggurat.build.score", "A domino above the base scores a point for each square that equals the one below "
           "it, times the level.", (Place,), score, at=("above", "begins", "above again")),
    Clause("ziggurat.win", "Most points win; then fewest dominoes left in hand; then the win is shared.",
           (Score, Result), win),
)  # fmt: skip
"""Every clause of the game, in the order in which an event meets them: what is impossible first."""
