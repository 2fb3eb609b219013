"""Where a finished game was decided, with all tiles open: an exact search of its last moves, on the game's own rules.

Nobody at the table could see it.  If more than two play, all others play together against the one whose hand it is.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.audit.replay import advance
from ledger.record.events import MOVES, Aside, Correctable, Deal, Over, Pass, Place, Play, Stack, actor
from ledger.record.tiles import TILES, Tile
from ledger.rules.game import INFINITE, Ending, Game, Step

MOST_POSITIONS = 1_000_000
"""The most positions that are searched for one record."""


class Decided(Struct, frozen=True):
    """What is known of a hand, by its `number` (0: the only one), from its last `plays` on.

    The player at `seat` had to reach the `goal`, counted in the game's unit; if it is None, to be ahead.  `line` has
    what the player could be sure of before each of the acts `seqs`, and at the end.  `seq` is the act after which
    nothing could change, None if that was earlier; `better` are the acts that would have kept it open.
    """

    number: int
    plays: int
    seat: int
    goal: int | None
    unit: str
    line: tuple[int, ...]
    seqs: tuple[int, ...] = ()
    seq: int | None = None
    better: tuple[Correctable, ...] = ()

    def outcome(self, worth: int) -> int:
        """What a worth means: 1 for success, 0 for a tie, -1 for failure."""
        if self.goal is None:
            return (worth > 0) - (worth < 0)
        return 1 if worth >= self.goal else -1


class TooManyPositions(Exception):
    """All positions of a record are used up."""


class Search:
    """The exact worth of positions for one seat, which plays against all others together.

    A position is entered once, with the bounds of what is still gained from there, so that all positions of a hand
    share what was learned, and what was best in most of them is tried first.  `left` is the number of positions that
    it may still look at.
    """

    def __init__(self, game: Game[Any], seat: int, left: int = MOST_POSITIONS) -> None:
        self.ending: Any = game.ending
        self.choices: Any = game.choices
        self.evolve, self.seat, self.left = game.evolve, seat, left
        self._bounds: dict[Any, tuple[int, int]] = {}
        self._best = Counter[Correctable]()

    def worth(self, state: Any, guess: int = 0) -> int:
        """What the seat can be sure of in the end.  Raises TooManyPositions."""
        so_far: int = self.ending.worth(state, self.seat)
        low, high, value = -INFINITE, INFINITE, guess - so_far
        while low < high:
            bound = value + 1 if value == low else value
            value = self._gain(state, bound - 1, bound)
            low, high = (low, value) if value < bound else (value, high)
        return value + so_far

    def _gain(self, state: Any, low: int, high: int) -> int:
        """What is still gained from a position; outside of `low` and `high`, a bound of it."""
        ending, seat = self.ending, self.seat
        if not ending.is_open(state):
            return 0
        key = ending.key(state, seat)
        least, greatest = self._bounds.get(key) or ending.reach(state, seat)
        if least >= high or greatest <= low or least == greatest:
            return least if least >= high else greatest
        choices = self.choices(state)
        if not choices:
            return 0
        mine, so_far = state.rules.seat[actor(choices[0])] == seat, ending.worth(state, seat)
        best: int = -INFINITE if mine else INFINITE
        for choice in sorted(choices, key=self._best.__getitem__, reverse=True):
            if self.left <= 0:
                raise TooManyPositions
            self.left -= 1
            after = self.evolve(state, choice)
            more = ending.worth(after, seat) - so_far
            gain = more + self._gain(after, low - more, high - more)
            best = max(best, gain) if mine else min(best, gain)
            if best >= high if mine else best <= low:
                self._best[choice] += 1
                break
        if best <= low:
            greatest = min(greatest, best)
        elif best >= high:
            least = max(least, best)
        else:
            least = greatest = best
        self._bounds[key] = least, greatest
        return best


def decided(game: Game[Any], steps: Sequence[Step], most: int = MOST_POSITIONS) -> tuple[Decided, ...]:
    """Where each hand of a finished game was decided, as far as the record knows all tiles; the last hand comes first.

    At most so many positions are searched for all of them.
    """
    found, windows = [], _windows(game, steps)
    for rest, (number, window) in zip(range(len(windows), 0, -1), reversed(windows), strict=True):
        if _is_legal(game, window):
            search, result = _decided(game, number, window, most // rest)
            most += search.left - most // rest
            found += [result] if result.plays else []
    return tuple(found)


def is_known(game: Game[Any], steps: Sequence[Step]) -> bool:
    """Whether the record knows all tiles at the end of some hand, so that `decided` may say something."""
    return bool(_windows(game, steps))


def _windows(game: Game[Any], steps: Sequence[Step]) -> list[tuple[int, Sequence[Step]]]:
    """The number and the last acts of each hand that is over and whose tiles are all known; 0 if there is only one."""
    found = list[tuple[int, Sequence[Step]]]()
    if (ending := game.ending) is None:
        return found
    number_of = game.hand_number or (lambda _state: 0)
    for number, hand in groupby(steps, lambda step: number_of(step.after)):
        known = _open(game, ending, list(hand))
        acts = [step for step in known if type(step.event) in (*MOVES, Pass) and ending.is_open(step.before)]
        plays = [place for place, step in enumerate(acts) if type(step.event) in MOVES]
        if plays and not ending.is_open(acts[-1].after):
            found.append((number, acts[plays[-ending.plays :][0] :]))
    return found


def _open(game: Game[Any], ending: Ending[Any], hand: Sequence[Step]) -> Sequence[Step]:
    """The steps of a hand, with each hand dealt as its player showed it, if nobody wrote it down before."""
    first = next((step for step in hand if type(step.event) in MOVES), None)
    if first is None or ending.is_open(first.before) or Deal not in game.events:
        return hand
    shown: dict[str, dict[Tile, None]] = {}
    over = {step.event.tile for step in hand if isinstance(step.event, Over)}
    for event in (step.event for step in hand):
        if isinstance(event, Deal | Aside):
            shown.setdefault(event.player or "", {}).update(dict.fromkeys(event.tiles))
        elif isinstance(event, Place | Play | Stack) and event.tile not in over:
            shown.setdefault(event.player, {})[TILES[event.tile.index]] = None
    shown.pop("", None)
    deals = [Step(0, Deal(player, tuple(tiles)), None, None) for player, tiles in shown.items()]
    state, dealt = hand[0].before, list[Step]()
    for step in (*deals, *(step for step in hand if type(step.event) is not Deal)):
        after = advance(game, state, step.event)
        dealt.append(Step(step.seq, step.event, state, after))
        state = after
    return dealt


def _is_legal(game: Game[Any], window: Sequence[Step]) -> bool:
    """Whether each of these acts leads where a choice leads."""
    search = Search(game, 0)

    def known(state: Any) -> tuple[Any, int]:
        return search.ending.key(state, 0), search.ending.worth(state, 0)

    return all(
        known(step.after) in (known(game.evolve(step.before, choice)) for choice in search.choices(step.before))
        for step in window
    )


def _decided(game: Game[Any], number: int, window: Sequence[Step], most: int) -> tuple[Search, Decided]:
    """What is known of a hand, from its last act backwards, and the search with what is left of its positions."""
    start, end, ending = window[0].before, window[-1].after, Search(game, 0).ending
    seats = range(len(start.rules.players))
    seat, goal = ending.goal(start) or (max(seats, key=lambda seat: ending.worth(end, seat)), None)
    search, worth = Search(game, seat, most), ending.worth(end, seat)
    result = Decided(number, 0, seat, goal, ending.unit(start), (worth,))
    for step in reversed(window):
        try:
            before = search.worth(step.before, worth)
            better: tuple[Correctable, ...] = ()
            if result.seq is None and result.outcome(before) != result.outcome(result.line[-1]):
                choices = search.choices(step.before)
                better = tuple(one for one in choices if search.worth(game.evolve(step.before, one), before) == before)
        except TooManyPositions:
            break
        worth = before
        result = replace(
            result,
            plays=result.plays + (type(step.event) in MOVES),
            line=(worth, *result.line),
            seqs=(step.seq, *result.seqs),
            **{"seq": step.seq, "better": better} if better else {},
        )
    return search, result
