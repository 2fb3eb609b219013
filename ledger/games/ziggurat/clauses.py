"""What Ziggurat demands, clause by clause, and why it scores what it scores.

A clause returns at once where an event is not its concern.  What is impossible is asked first and said alone, so every
clause after `occupied` may take it that a domino was laid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ledger import common
from ledger.common import NOTHING
from ledger.events import ACTS, Aside, Deal, Pass, Place, Result, Score
from ledger.game import Clause, Fault, Points, Standing, clause
from ledger.games.ziggurat.base import base_squares, equals, scoring
from ledger.games.ziggurat.state import (
    Ziggurat,
    completable,
    holding,
    in_window,
    lying,
    places,
    squares,
    touching,
)
from ledger.games.ziggurat.table import factor
from ledger.grid import LEVEL, said
from ledger.tiles import mask

Faults = Iterable[Fault]


# ── What no table could have shown ─────────────────────────────────────────────────────────────────────────


def elsewhere(before: Ziggurat, event: Deal | Aside | Place) -> Iterator[common.Elsewhere]:
    """The tiles that the record has somewhere else already."""
    if type(event) is Place:
        if event.tile.index in before.lies:
            yield event.tile.bit, "lies on the table already"
        return
    yield lying(before), "lies on the table already"
    players = before.rules.players
    for player, dealt in zip(players, before.dealt, strict=True):
        if player != event.player or type(event) is Aside:
            yield dealt, f"was dealt to {player}"
    if type(event) is Deal:
        yield before.aside, "was set aside"


in_set = common.in_set((Deal, Aside, Place), lambda state: state.rules.largest)
once = common.once((Deal, Aside, Place), elsewhere)


# A square of a level holds one half.
@clause("ziggurat.occupied", "A square of a level holds one half.", Place, verdict="impossible")
def occupied(before: Ziggurat, event: Place, _after: Ziggurat, _evidence: object) -> Faults:
    one, other = squares(event)
    if one not in before.halves and other not in before.halves:
        return NOTHING
    return [
        Fault(f"square {said(at)} of level {event.level} is in use already", claimed=said(at))
        for at in (one, other)
        if at in before.halves
    ]


# ── Setting up and taking turns ────────────────────────────────────────────────────────────────────────────


# The set is dealt evenly, and what is left over is out of the game.
@clause("ziggurat.setup.deal", "The set is dealt evenly, and what is left over is out of the game.", Deal, Place)
def deal(before: Ziggurat, event: Deal | Place, _after: Ziggurat, _evidence: object) -> Faults:
    rules = before.rules
    if isinstance(event, Place):
        if event.tile.bit & before.aside:
            return [Fault(f"the {event.tile} was set aside and is out of the game", claimed=str(event.tile))]
        return NOTHING
    count = mask(event.tiles).bit_count()
    if count > rules.share:
        message = f"{event.player} is dealt {count} tiles, more than the even share of {rules.share}"
        return [Fault(message, rules.share, count)]
    size = None if event.partial else another_size(before, rules.seat[event.player])
    if size is not None and count != size:
        return [Fault(f"{event.player} is dealt {count} tiles, another player {size}", size, count)]
    return NOTHING


def another_size(state: Ziggurat, seat: int) -> int | None:
    """How many tiles another seat has whose hand is written whole; None if there is none."""
    for other, tiles in enumerate(state.dealt):
        if state.whole >> other & 1 and other != seat:
            return tiles.bit_count()
    return None


# Play passes from the first player to the left, one domino a turn, and nobody passes.
@clause("ziggurat.turn", "Play passes from the first player to the left, one domino a turn, and nobody passes.",
        Place, Pass)  # fmt: skip
def turn(before: Ziggurat, event: Place | Pass, _after: Ziggurat, _evidence: object) -> Faults:
    if type(event) is Pass:
        return [Fault(f"{event.player} passes, but every turn is one domino")]
    rules = before.rules
    if before.turn is None or before.turn == rules.seat[event.player]:
        return NOTHING
    who = rules.players[before.turn]
    return [Fault(f"it was {who}'s turn, not {event.player}'s", who, event.player)]


held = common.held((Place,), unless=lambda before, event: event.tile.bit & before.aside)


# ── The base ───────────────────────────────────────────────────────────────────────────────────────────────


# Squares line up with squares.
grid = Clause[Ziggurat](
    "ziggurat.base.grid",
    "Squares line up with squares. The record's grid can show nothing else; a table that did otherwise writes a note.",
)


# Every base domino but the first shares an edge with one that lies there.
@clause("ziggurat.base.touch", "Every base domino but the first touches one that lies there.", Place)
def touch(before: Ziggurat, event: Place, _after: Ziggurat, _evidence: object) -> Faults:
    if event.level > 1 or before.level > 1 or not before.halves:
        return NOTHING
    one, other = squares(event)
    if touching(before.rules, before.halves, one, other):
        return NOTHING
    how = "shares no edge or corner" if before.rules.corners else "shares no edge"
    return [Fault(f"the {event.tile} on {said(one)} and {said(other)} {how} with any domino")]


# The base stays within one 4 × 4 window, any that holds all its squares.
@clause("ziggurat.base.window", "The base stays within one 4 × 4 window.", Place)
def window(before: Ziggurat, event: Place, after: Ziggurat, _evidence: object) -> Faults:
    if event.level > 1 or before.level > 1:
        return NOTHING
    rules = before.rules
    # A base that is too wide already is not accused again.
    if in_window(rules, base_squares(after.halves)) or not in_window(rules, base_squares(before.halves)):
        return NOTHING
    where = "the 4 × 4 that was drawn" if rules.drawn else "any one 4 × 4"
    return [Fault(f"with the {event.tile} on {said(squares(event)[0])} the base is outside {where}")]


# The finished base has no gaps: a domino is legal only while the rest of some window can still be filled.
@clause("ziggurat.base.no-gaps", "The base is filled without gaps: some window can still be filled after every "
        "domino.", Place)  # fmt: skip
def no_gaps(before: Ziggurat, event: Place, after: Ziggurat, _evidence: object) -> Faults:
    if event.level > 1 or before.level > 1:
        return NOTHING
    rules, base = before.rules, base_squares(after.halves)
    if completable(rules, base) or not in_window(rules, base):
        return NOTHING
    if not completable(rules, base_squares(before.halves)):
        return NOTHING
    return [
        Fault(f"with the {event.tile} on {said(squares(event)[0])} the rest of the 4 × 4 cannot be filled any more")
    ]


# ── Building ───────────────────────────────────────────────────────────────────────────────────────────────


# A finished level is finished: nothing is played below the level reached.
@clause("ziggurat.level.closed", "A finished level is finished: nothing is played on it any more.", Place)
def level_closed(before: Ziggurat, event: Place, _after: Ziggurat, _evidence: object) -> Faults:
    if event.level >= before.level:
        return NOTHING
    return [Fault(f"level {event.level} is finished, level {before.level} is being built", before.level, event.level)]


# A level above is begun only when no play is left on the one reached, whether it would score or not.
@clause("ziggurat.level.finish", "A level above is begun only when no play is left on the current one.", Place)
def level_finish(before: Ziggurat, event: Place, _after: Ziggurat, _evidence: object) -> Faults:
    if event.level <= max(before.level, 1) or before.finished:
        return NOTHING
    reached, where = max(before.level, 1), ""
    if reached > 1:
        one, other = next(places(before, reached))
        where = f", for example on {said(one)} and {said(other)}"
    return [Fault(f"level {event.level} is begun while level {reached} still has a place{where}", reached, event.level)]


# Above the base a domino covers two squares that are occupied on the level below.
@clause("ziggurat.build.cover", "Above the base a domino covers two squares that are occupied on the level below.",
        Place)  # fmt: skip
def cover(before: Ziggurat, event: Place, _after: Ziggurat, _evidence: object) -> Faults:
    if event.level == 1 or event.level < before.level:
        return NOTHING
    one, other = squares(event)
    if one - LEVEL in before.halves and other - LEVEL in before.halves:
        return NOTHING
    where = " and ".join(said(at) for at in (one, other) if at - LEVEL not in before.halves)
    return [Fault(f"nothing lies below the {event.tile} on {where}, level {event.level - 1}")]


# ── Scoring ────────────────────────────────────────────────────────────────────────────────────────────────


# A base domino scores a point for each of its squares that equals a neighbour.
@clause("ziggurat.base.score", "A base domino scores a point for each of its squares that equals a neighbour.", Place)
def base_score(before: Ziggurat, event: Place, after: Ziggurat, _evidence: object) -> Faults:
    return compare(before, event, after) if event.level == 1 else NOTHING


# A domino above the base scores a point for each square that equals the one below it, times the level.
@clause("ziggurat.build.score", "A domino above the base scores a point for each square that equals the one below it, "
        "times the level.", Place)  # fmt: skip
def build_score(before: Ziggurat, event: Place, after: Ziggurat, _evidence: object) -> Faults:
    return compare(before, event, after) if event.level > 1 else NOTHING


def compare(before: Ziggurat, event: Place, after: Ziggurat) -> Faults:
    """A fault if the points claimed for a placement are not those that it scored."""
    seat = before.rules.seat[event.player]
    expected = after.scores[seat] - before.scores[seat]
    if event.points is None or event.points == expected:
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
            (1, f"its {pips} on {said(at)} equals the one on {said(neighbour)}")
            for at, pips, equal in ((one, tile.first, near), (other, tile.second, far))
            for neighbour in equal[: scoring(before.rules.per_match, len(equal))]
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
    id_ = "ziggurat.base.score" if event.level == 1 else "ziggurat.build.score"
    return [Points(seat, points, id_, because) for points, because in reasons(before, event) if points]


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


@clause("ziggurat.win", "Most points win; then fewest dominoes left in hand; then the win is shared.", Score, Result)
def win(before: Ziggurat, event: Score | Result, _after: Ziggurat, _evidence: object) -> Faults:
    players = before.rules.players
    if isinstance(event, Score):
        return common.compare_points(event, common.by_player(players, before.scores), "the total")
    if not before.ended:
        return NOTHING
    why = f"{max(before.scores)} is the most points"
    if len(common.greatest(before.scores)) > 1:
        why += ", and then the fewest dominoes left count"
    return common.compare_winners(event, [players[seat] for seat in winners(before)], why)


# The game ends when every dealt domino has been played, or when a new level would have exactly one valid place.
@clause("ziggurat.end", "The game ends when every dealt domino has been played, or when a new level would have "
        "exactly one valid place; no act comes after that and no result before.", *ACTS, Result)  # fmt: skip
def end(before: Ziggurat, event: object, _after: Ziggurat, _evidence: object) -> Faults:
    if type(event) is not Result:
        return [Fault("the game had ended when this was recorded")] if before.ended and not before.past else NOTHING
    if before.ended:
        return NOTHING
    unplayed = sum(holding(before))
    return [
        Fault(f"a result is claimed, but {unplayed} dominoes can still be played", "no result yet", list(event.winners))
    ]


CLAUSES: tuple[Clause[Ziggurat], ...] = (
    in_set, once, occupied, end, deal, turn, held, touch, grid, window, no_gaps, level_closed, level_finish, cover,
    base_score, build_score, win,
)  # fmt: skip
"""Every clause of the game, in the order in which an event meets them: what is impossible first."""
