"""Turns scenes into things: what is drawn of a record's table at each step, for any game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from ledger.audit.review import Review
from ledger.record.events import ACTS, Bid
from ledger.record.scene import Goal, Grid, Laid, Pile, Row, Scene, hand_title
from ledger.record.sentences import who
from ledger.record.squares import Squares, squares_of
from ledger.record.visible import isolated
from ledger.record.words import listed, plural
from ledger.rules.game import Step
from viewer.pictures import things as t

GRAVE = ("impossible", "breach", "unproven")
"""The verdicts that mark a tile, the gravest first."""
FAR = 40
"""A square farther out than this is not drawn, because one absurd act would make everything else invisible."""
LEAST = 4
"""The fewest squares of a floor in each direction, so that the first tile is not drawn too large."""
DEEP = 6
"""The most tiles of a pile that the words for people who listen name."""
_ACTS = frozenset(ACTS)


def moments(review: Review, scenes: Sequence[Scene]) -> Iterator[list[t.Thing]]:
    """For each step, the things on the table; `scenes` has the scene of each step."""
    shared = _Shared(review, scenes, review.squares)
    marks = _Marks(review, review.gains, shared.rows)
    for place, (step, scene) in enumerate(zip(review.steps, scenes, strict=True)):
        marks.follow(step, scene)
        outcome = list(_outcome(review, place, scenes))
        things = [*_things(review, scene, shared, marks), *marks.things(), *outcome]
        heading = [] if outcome and review.standing(place).winners else _heading(review, step, scene)
        yield [*heading, *(things or _face_down(review, step, len(shared.rows)))]


def at_end(review: Review) -> list[t.Thing]:
    """The table at the end, without marks, for a small picture.  It needs no audit.

    If the last tiles were taken or put away, it is the table before that, because a picture needs a tile.
    """
    backwards = map(review.scene, reversed(range(len(review.steps))))
    scene = next(filter(open_tiles, backwards), None) or review.scene()
    shared = _Shared(review, [scene], squares_of(review.record.events, scene))
    return list(_things(review, scene, shared, _Marks(review, {}, shared.rows)))


def open_tiles(scene: Scene) -> int:
    """The number of tiles on the table that are face up, or in a pile whose tiles are known."""
    counts = (
        len(area.laid) if isinstance(area, Grid) else sum(len(pile.tiles) for pile in area.piles)
        for area in scene.areas
    )
    return sum(counts)


def _things(review: Review, scene: Scene, shared: _Shared, marks: _Marks) -> Iterator[t.Thing]:
    things = [*shared.things(scene), *_laid(scene, marks), *_rows(review, scene, shared, marks)]
    if things:
        yield shared.room
        yield from things


class _Shared:
    """What the steps share: the floor of the whole record, the skyline of each level, the room for rows and hands."""

    def __init__(self, review: Review, scenes: Sequence[Scene], names: Squares) -> None:
        self.floor = _floor([grid for scene in scenes for grid in scene.areas if isinstance(grid, Grid)], names)
        plan = scenes[-1].plan
        self.places = {title: len(labels) for title, labels in plan.rows}
        labels = {title: set(labels) for title, labels in plan.rows}
        high: dict[str, int] = {}
        labelled = set(labels)
        self._skies: dict[int, dict[tuple[int, int], int]] = {}
        for scene in scenes:
            for area in scene.areas:
                if isinstance(area, Grid):
                    sky = self._skies.setdefault(_height(area), {})
                    for laid in near(area):
                        for square in (laid.at, laid.to):
                            sky[square] = max(sky.get(square, 0), laid.level)
                else:
                    self.places[area.title] = max(self.places.get(area.title, 1), len(area.piles))
                    labels.setdefault(area.title, set()).update(pile.label for pile in area.piles)
                    high[area.title] = max(high.get(area.title, 1), *map(_count, area.piles), 1)
                    labelled |= {area.title} if any(map(_label, area.piles)) else set()
        self.rows = {title: number for number, title in enumerate(self.places)}
        self.lines = {
            title: self._line(review, title, labels[title], labelled=title in labelled, high=high.get(title, 1))
            for title in self.rows
        }
        most = max((len(hand.tiles) + (hand.unknown or 0) for scene in scenes for hand in scene.hands), default=0)
        game = review.game
        headed, bids = game.hand_number is not None, Bid in game.events
        self.room = t.Room(max(most, plan.hand), tuple(self.lines.values()), headed, bids)

    def things(self, scene: Scene) -> Iterator[t.Thing]:
        """The shared things of a scene."""
        for area in scene.areas:
            if isinstance(area, Grid) and self.floor:
                yield self.floor
                sky = self._skies[_height(area)]
                yield t.Sky(tuple((x, y, level) for (x, y), level in sorted(sky.items())))

    def _line(self, review: Review, title: str, labels: set[str], *, labelled: bool, high: int) -> t.Line:
        """A row as it is over the whole game."""
        numbered = bool(labels) and all(map(str.isdecimal, labels))
        owned = len(self.places) > 1 and bool(labels) and labels <= set(map(who, range(len(review.opening.players))))
        return t.Line(self.rows[title], review.named(title), self.places[title], numbered, owned, labelled, high)


def _count(pile: Pile) -> int:
    return len(pile.tiles) + pile.hidden


def _label(pile: Pile) -> str:
    """What a drawing writes below a pile: not the name of the tile that it shows."""
    return "" if pile.tiles and pile.label == str(pile.tiles[-1]) else pile.label


def near(grid: Grid) -> Iterator[Laid]:
    """The tiles of a grid that are drawn."""
    return (laid for laid in grid.laid if all(abs(value) < FAR for square in (laid.at, laid.to) for value in square))


def _height(grid: Grid) -> int:
    return max((laid.level for laid in near(grid)), default=0)


def _floor(grids: Sequence[Grid], names: Squares) -> t.Floor | None:
    if not grids:
        return None
    full = [grid for grid in grids if grid.laid] or list(grids)
    squares = [square for grid in full for laid in near(grid) for square in (laid.at, laid.to)]
    squares += [corner for grid in full for corner in (grid.bounds[:2], grid.bounds[2:]) if max(map(abs, corner)) < FAR]
    left, right = _widen([x for x, _y in squares] or [0])
    # Rows are counted up from the lowest one, so there are names for more rows only above.
    bottom, top = (-y for y in _widen([-y for _x, y in squares] or [0]))
    # Beyond a1 a square has no name until a tile lies there.
    columns = tuple(names.column(x) if x >= names.left else "" for x in range(left, right + 1))
    rows = tuple(names.row(y) if y <= names.bottom else "" for y in range(top, bottom + 1))
    return t.Floor(left, top, right, bottom, columns, rows)


def _widen(values: Sequence[int]) -> tuple[int, int]:
    first, last = min(values), max(values)
    return first, max(last, first + LEAST - 1)


def _laid(scene: Scene, marks: _Marks) -> Iterator[t.Thing]:
    for area in scene.areas:
        if isinstance(area, Grid):
            for laid in near(area):
                dx, dy = laid.to[0] - laid.at[0], laid.to[1] - laid.at[1]
                mark = marks.of(("tile", *laid.at, laid.level, laid.tile.index))
                yield t.Domino(str(laid.tile), *laid.at, dx, dy, laid.level, mark)
            for half, second_half in area.ties:
                yield t.Tie(*half, *second_half)


def _rows(review: Review, scene: Scene, shared: _Shared, marks: _Marks) -> Iterator[t.Thing]:
    for area in scene.areas:
        if isinstance(area, Row) and any(pile.tiles or pile.hidden for pile in area.piles):
            number = shared.rows[area.title]
            yield shared.lines[area.title]
            for place, pile in enumerate(area.piles):
                label = review.named(_label(pile))
                mark = marks.of(("pile", area.title, pile.label, *_top(pile)))
                tiles = tuple(map(str, pile.tiles[-DEEP:]))
                owners = pile.owners[-1:] if pile.owners and pile.owners[-1] is not None else ()
                yield t.Heap(number, place, label, _count(pile), tiles, owners, mark)
    if scene.goal:
        yield t.Contract(scene.goal.seat, scene.goal.bid, scene.goal.done, scene.goal.unit)
    for hand in scene.hands:
        yield t.Held(hand.owner, tuple(map(str, hand.tiles)), hand.unknown)


def _heading(review: Review, step: Step, scene: Scene) -> Iterator[t.Heading]:
    """Which hand it is, in a game of several."""
    game = review.game
    if game.hand_number is None:
        return
    planned = game.hands_planned(step.after) if game.hands_planned else None
    words = hand_title(game.hand_number(step.after), planned)
    if words:
        yield t.Heading(words, scene.note)


def _outcome(review: Review, place: int, scenes: Sequence[Scene]) -> Iterator[t.Outcome]:
    """The winner and the points of each hand, if all tiles were taken or put away: nothing else shows them.

    After a hand that is not the last, it is how the contract ended.
    """
    standing, names, scene = review.standing(place), review.opening.names, scenes[place]
    if open_tiles(scene) or any(hand.tiles or hand.unknown != 0 for hand in scene.hands):
        return
    if not standing.winners:
        # The contract of the hand, also after its last act.
        goal = next((scene.goal for scene in reversed(scenes[: place + 1]) if scene.goal), None)
        if goal and any(scene.taken):
            words = t.reached(scene.taken[goal.seat], goal.bid, goal.unit)
            yield t.Outcome(words, f"{isolated(names[goal.seat])} bid {goal.bid}", tuple(_hands(review, place, scenes)))
        return
    best = max(standing.scores[seat] for seat in standing.winners)
    other_scores = [score for seat, score in enumerate(standing.scores) if seat not in standing.winners]
    margin = best - max(other_scores, default=best)
    verb = "wins" if len(standing.winners) == 1 else "win"
    words = f"{listed(names[seat] for seat in standing.winners)} {verb}"
    hands = tuple(_hands(review, place, scenes))
    yield t.Outcome(words, f"by {plural(margin, 'point')}" if margin > 0 else "", hands)


def _hands(review: Review, last: int, scenes: Sequence[Scene]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Each hand in a few words, and the points of each seat in it: ``Hand 2 · Cy bid 29, took 31``."""
    game, names = review.game, review.opening.names
    if game.hand_number is None:
        return
    points: dict[int, list[int]] = {}
    goals: dict[int, Goal] = {}
    for step, scene in zip(review.steps[: last + 1], scenes, strict=False):
        number = game.hand_number(step.after)
        total = points.setdefault(number, [0] * len(names))
        for seat, more in enumerate(review.gains.get(step.seq, ())):
            total[seat] += more
        if scene.goal:
            goals[number] = scene.goal
        if number in goals and scene.taken:
            goals[number] = replace(goals[number], done=scene.taken[goals[number].seat])
    for number, total in points.items():
        goal = goals.get(number)
        contract = f" · {isolated(names[goal.seat])} bid {goal.bid}, took {goal.done}" if goal else ""
        if number:
            yield f"Hand {number}{contract}", tuple(total)


def _face_down(review: Review, step: Step, first: int) -> Iterator[t.Thing]:
    """The tiles face down, by where they are, before any tile is on the table or in a hand."""
    for number, tally in enumerate(tally for tally in review.game.tally(step.after) if tally.tiles):
        yield t.Line(first + number, tally.where, tally.tiles)
        for place in range(tally.tiles):
            yield t.Heap(first + number, place, "", 1, (), (), "")


def _top(pile: Pile) -> tuple[int, int]:
    return _count(pile), pile.tiles[-1].index if pile.tiles else -1


Key = tuple[str | int, ...]


class _Marks:
    """The place of the last act, the wrong tiles on the table, and the points."""

    def __init__(self, review: Review, gains: Mapping[int, Sequence[int]], rows: Mapping[str, int]) -> None:
        self.review, self.gains, self.rows = review, gains, rows
        self._before: set[Key] = set()
        self._wrong: dict[Key, str] = {}
        self._last: t.Last | None = None
        self._gains: list[t.Gain] = []

    def of(self, key: Key) -> str:
        """The verdict on the tile with this key."""
        return self._wrong.get(key, "")

    def follow(self, step: Step, scene: Scene) -> None:
        """Adds the next step and the scene after it."""
        spots = dict(_spots(scene, self.rows))
        if type(step.event) in _ACTS:
            tile = getattr(step.event, "tile", None)
            index = -1 if tile is None else tile.index
            fresh = [key for key in spots if key[-1] == index and key not in self._before]
            self._last = t.Last(spots[fresh[-1]]) if fresh else None
            verdicts = {finding.verdict for finding in self.review.findings.get(step.seq, ())}
            worst = next((verdict for verdict in GRAVE if verdict in verdicts), None)
            self._wrong |= dict.fromkeys(fresh, worst) if worst else {}
        self._gains = list(self._scored(step))
        self._before = set(spots)
        self._wrong = {key: verdict for key, verdict in self._wrong.items() if key in spots}

    def things(self) -> Iterator[t.Thing]:
        """The ring and the points."""
        if self._last:
            yield self._last
        yield from self._gains

    def _scored(self, step: Step) -> Iterator[t.Gain]:
        player = getattr(step.event, "player", None)
        if self._last is None or type(step.event) not in _ACTS or player not in self.review.opening.players:
            return
        gains = self.gains.get(step.seq)
        counted = gains[self.review.opening.seat(player)] if gains else 0
        called = getattr(step.event, "points", None)
        if called and called != counted:
            yield t.Gain(f"+{called}", struck=True)
        if counted:
            yield t.Gain(f"+{counted}", struck=False)


def _spots(scene: Scene, rows: Mapping[str, int]) -> Iterator[tuple[Key, tuple[int, ...]]]:
    """Every tile that lies on a grid or on top of a pile: a key that ends with its index, and where it is."""
    for area in scene.areas:
        if isinstance(area, Grid):
            for laid in near(area):
                yield ("tile", *laid.at, laid.level, laid.tile.index), (*laid.at, laid.level)
        else:
            for place, pile in enumerate(area.piles):
                if pile.tiles:
                    yield ("pile", area.title, pile.label, *_top(pile)), (rows[area.title], place)
