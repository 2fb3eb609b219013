"""Checks each sentence and the words of a moment against the states of its game, without the code that wrote them."""

import re
from collections.abc import Callable

from ledger.audit.moments import Moment
from ledger.audit.review import Review
from ledger.record.events import MOVES, Bid, Deal, Lift, Place, Stack
from ledger.record.scene import Grid, Row
from ledger.record.words import NUMBERS, listed, number, sentence

NAME, TILE, N = r"(\w+)", r"(\d+-\d+)", r"(-?\d+)"


class Told:
    """A moment and the game around it."""

    def __init__(self, review: Review, moment: Moment) -> None:
        self.review, self.moment, self.place = review, moment, moment.place
        self.step = review.steps[moment.place]
        self.names = review.opening.names
        self.last = len(review.steps) - 1

    def scores(self, place: int) -> tuple[int, ...]:
        return self.review.standing(place).scores

    def score(self, name: str, place: int) -> int:
        return self.scores(place)[self.names.index(name)]

    def gain(self, name: str) -> int:
        return self.score(name, self.place) - self.score(name, self.place - 1)

    def leaders(self, place: int) -> set[str]:
        scores = self.scores(place)
        return {name for name, score in zip(self.names, scores, strict=True) if score == max(scores)}

    def acts(self, name: str, tile: str) -> None:
        """That player acted with that tile at this step."""
        event = self.step.event
        assert self.names[self.review.opening.seat(event.player)] == name
        assert str(event.tile) == tile

    def sentences(self) -> None:
        """Every sentence of the reason is known, and true."""
        text = f"{self.moment.headline} {self.moment.why}".strip()
        assert sum(map(any_letter, text.split())) <= 14
        subject = ""
        while text:
            for pattern, check in SENTENCES.items():
                match = re.match(pattern + r"(?: |$)", text)
                begun = text if match or not subject else f"{subject} {text[:1].lower()}{text[1:]}"
                match = match or re.match(pattern + r"(?: |$)", begun)
                if match:
                    text, subject = begun, match[1] if match.re.groups else subject
                    check(self, *match.groups())
                    text = text[match.end() :]
                    break
            else:
                text = self.a_finding(text)

    def a_finding(self, text: str) -> str:
        """The text after the sentence of a finding that is at this step."""
        here = [finding for finding in self.review.judged if self.review.place(finding.seq) == self.place]
        for message in map(self.review.message, here):
            said = sentence(message)
            if text.startswith(said):
                assert "istake: " in self.moment.words
                return text[len(said) :].lstrip()
        raise AssertionError(f"nobody can check {text!r}")

    def laid(self) -> list[int]:
        """The places at which tiles came on the table."""
        steps = enumerate(self.review.steps)
        return [n for n, step in steps if type(step.event) in MOVES and step.after is not step.before]

    def at_level(self, level: int) -> list[int]:
        return [n for n in self.laid() if self.review.steps[n].event.level == level]

    def squares(self, place: int) -> dict[tuple[str, int], int]:
        """The pips on each square of each level, by its name, after a step."""
        found = {}
        for area in self.review.scene(place).areas:
            for laid in area.laid if isinstance(area, Grid) else ():
                found[self.review.squares.name(laid.at), laid.level] = laid.tile.first
                found[self.review.squares.name(laid.to), laid.level] = laid.tile.second
        return found

    def top(self, place: int, stack: int) -> tuple[str, str]:
        """Whose tile lies on top of a stack after a step, and which."""
        areas = self.review.scene(place).areas
        pile = next(p for area in areas if isinstance(area, Row) for p in area.piles if p.label == str(stack))
        return self.names[pile.owners[-1] or 0], str(pile.tiles[-1])


def matches(told: Told, name: str, tile: str, count: str, level: str, points: str) -> None:
    """So many halves of the tile equal what they lie on or beside, and that is worth the points."""
    told.acts(name, tile)
    event = told.step.event
    assert told.gain(name) == int(points)
    assert event.level == int(level)
    now, before = told.squares(told.place), told.squares(told.place - 1)
    mine = [square for square in now if square not in before]
    equal = 0
    for square, at_level in mine:
        if at_level > 1:
            equal += before[square, at_level - 1] == now[square, at_level]
        else:
            column, row = square[0], int(square[1:])
            around = [(chr(ord(column) + x) + str(row + y), 1) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]
            equal += sum(before.get(other) == now[square, 1] for other in around)
    assert count == NUMBERS[equal] or (int(level) == 1 and NUMBERS.index(count) < equal)  # a ruling: each half once


def one_tile(told: Told, name: str, tile: str, points: str) -> None:
    told.acts(name, tile)
    assert told.gain(name) == int(points)


def scores_points(told: Told, name: str, points: str) -> None:
    assert told.gain(name) == int(points)


def counts(told: Told, name: str, points: str, stacks: str) -> None:
    assert told.gain(name) == int(points)
    piles = [pile for area in told.review.scene(told.place).areas if isinstance(area, Row) for pile in area.piles]
    tops = [pile for pile in piles if pile.label.isdigit() and pile.owners[-1:] == (told.names.index(name),)]
    if tops and not any(pile.hidden for pile in piles):
        assert stacks == number(sum(pile.tiles[-1].first + pile.tiles[-1].second > 0 for pile in tops))
        assert sum(pile.tiles[-1].first + pile.tiles[-1].second for pile in tops) == int(points)


def ahead(told: Told, name: str, how: str, by: str) -> None:
    """Who is in front, since when, and by how much."""
    assert told.leaders(told.place) == {name}
    mine = told.score(name, told.place)
    others = [told.score(other, told.place) for other in told.names if other != name]
    assert by == (f"{mine} : {others[0]}" if len(others) == 1 else f"by {mine - max(others)}")
    if how == "head for good":
        assert told.review.standing().finished
        assert all(told.leaders(place) == {name} for place in range(told.place, told.last + 1))
        return
    assert (how == "n front again") == any(told.leaders(place) == {name} for place in range(told.place))


def gap(told: Told, name: str) -> int:
    """How far a player is before all others; negative behind."""
    return told.score(name, told.place) - max(told.score(other, told.place) for other in told.names if other != name)


def gaps(told: Told, begin: int) -> list[int]:
    """By how much the best are ahead of the second, at each place from there on."""
    ranked = (sorted(told.scores(place), reverse=True) for place in range(begin, told.last + 1))
    return [first - second for first, second, *_rest in ranked]


def leads_most(told: Told, name: str, by: str) -> None:
    assert gap(told, name) == int(by)
    assert max(gaps(told, 0)) == int(by)


def comes_closest(told: Told, name: str, within: str) -> None:
    assert gap(told, name) == -int(within)
    assert told.gain(name) > 0
    final = told.leaders(told.last)
    assert len(final) == 1
    turn = decisive(told.review) or 0
    assert min(gaps(told, turn + 1)) == int(within)


def are_level(told: Told, names: str, score: str, to_the_end: str | None) -> None:
    people = told.leaders(told.place)
    assert (
        names == listed(name for name in told.names if name in people)
        or names == f"{number(len(people))} players".capitalize()
    )
    assert all(told.leaders(place) == people for place in range(told.place, told.last + 1))
    assert bool(to_the_end) == told.review.standing().finished
    assert max(told.scores(told.place)) == int(score)


def contract(told: Told, name: str, bid: str, took: str, gains: str) -> None:
    assert told.review.scene(told.place).taken[told.names.index(name)] == int(took)
    bids = [step.event for step in told.review.steps[: told.place] if type(step.event) is Bid]
    best = bids[-1]
    assert (told.names[told.review.opening.seat(best.player)], best.bid) == (name, int(bid))
    got: dict[str, int] = {}
    for part in gains.split(", "):
        people, points = part.rsplit(" ", 1) if " " in part else (name, part)
        got |= dict.fromkeys(re.split(", | and ", people), int(points))
    assert got == {other: told.gain(other) for other in told.names if told.gain(other)}


def bids(told: Told, name: str, bid: str) -> None:
    event = told.step.event
    assert type(event) is Bid
    assert (told.names[told.review.opening.seat(event.player)], event.bid) == (name, int(bid))
    later = [step.event for step in told.review.steps[told.place + 1 :]]
    hand = later[: next((n for n, event in enumerate(later) if type(event) is Deal), len(later))]
    assert all(event.bid < int(bid) for event in hand if type(event) is Bid and told.review.findings == {})


def laid_at(told: Told, name: str, tile: str, place: int) -> None:
    told.acts(name, tile)
    assert place == told.place


def covers(told: Told, *words: str) -> None:
    name, tile, owner, covered, lost, loser, won, winner, for_now = words
    told.acts(name, tile)
    event = told.step.event
    assert type(event) is Stack
    assert told.top(told.place - 1, event.stack) == (owner, covered) == (loser, covered)
    assert winner == name
    assert (sum(map(int, covered.split("-"))), sum(map(int, tile.split("-")))) == (int(lost), int(won))
    scored = (n for n in range(max(1, told.place), told.last + 1) if told.scores(n) != told.scores(n - 1))
    counted = next(scored, None)
    later = [
        step for step in told.review.steps[told.place + 1 : (counted or told.last) + 1]
        if type(step.event) is Stack and step.event.stack == event.stack and step.after is not step.before
    ]  # fmt: skip
    assert bool(for_now) == (counted is None or bool(later))


def cheat(told: Told, which: str, total: str) -> None:
    so_far = {"he first": 1, "he last": int(total)}.get(which) or int(which.removeprefix("umber "))
    assert set(told.scores(told.place)) == {so_far}
    assert set(told.scores(told.last)) == {int(total)}
    assert type(told.step.event) is Lift or "a tile was lifted" in told.moment.words


def only_cheat(told: Told) -> None:
    cheat(told, "he first", "1")


def heights(told: Told) -> dict[int, int]:
    """How many cheats there were while no more than so many tiles had lain."""
    found: dict[int, int] = {}
    lying = most = 0
    laid = told.laid()
    for place in range(1, told.last + 1):
        step = told.review.steps[place]
        lying += (place in laid) - (type(step.event) is Lift and step.after is not step.before)
        most = max(most, lying)
        if told.scores(place) != told.scores(place - 1):
            found[most] = found.get(most, 0) + 1
    return found


def stuck(told: Told, high: str, count: str) -> None:
    found = heights(told)
    assert found[int(high)] == int(count) == max(found.values())


def longest_run(told: Told, count: str) -> None:
    laid = told.laid()
    found, run = 0, 0
    for place in range(1, told.last + 1):
        run = 0 if told.scores(place) != told.scores(place - 1) else run
        run += place in laid
        found = max(found, run)
    assert found == int(count)


def not_over(told: Told, scores: str | None) -> None:
    assert not told.review.standing().finished
    assert scores == (", ".join(f"{name} {told.score(name, told.last)}" for name in told.names) if scores else None)


def over(told: Told, winners: str, rest: str) -> None:
    standing = told.review.standing(told.place)
    assert standing.finished
    assert told.review.standing(told.place - 1) != standing == told.review.standing()
    names = [told.names[seat] for seat in standing.winners]
    assert winners == (listed(names) if len(names) <= 3 else f"{number(len(names)).capitalize()} players")
    if standing.title:
        assert rest == f": {standing.title}"
    elif " : " in rest:
        others = [told.score(name, told.place) for name in told.names if name != winners]
        assert rest == f" {told.score(winners, told.place)} : {others[0]}"
    elif " by " in rest:
        ranked = sorted(told.scores(told.place))
        assert int(rest.removeprefix(" by ")) == ranked[-1] - ranked[-2]
    else:
        assert not rest


def mistaken(told: Told, _what: str, more: str | None) -> None:
    assert told.moment.kind == "cause"
    assert any(told.review.findings)
    assert more is None or int(more) > 0


SENTENCES: dict[str, Callable[..., None]] = {
    rf"{NAME} {TILE}: (\w+) match(?:es)? on level {N}, {N} points?\.": matches,
    rf"{NAME} {TILE}: {N} points?\.": one_tile,
    rf"{NAME} scores {N} points?\.": scores_points,
    rf"{NAME} counts {N} on (\w+) stacks?\.": counts,
    rf"{NAME} (?:is )?[AaIi](n front(?: again)?|head for good), ([^.]+)\.": ahead,
    rf"{NAME} [Ll]eads by {N}, the most\.": leads_most,
    rf"{NAME} [Cc]omes within {N}, the closest\.": comes_closest,
    rf"(\w[\w, ]*) are level at {N}(, to the end)?\.": are_level,
    rf"{NAME} bid {N} and took {N}: ([^.]*)\.": contract,
    rf"{NAME} bids {N} (?:tiles|points), the highest bid\.": bids,
    rf"{NAME} closes the base with {TILE}\.": lambda told, name, tile: laid_at(told, name, tile, told.at_level(1)[-1]),
    rf"{NAME} opens level {N} with {TILE}\.": lambda told, name, level, tile: laid_at(
        told, name, tile, told.at_level(int(level))[0]
    ),
    rf"{NAME} {TILE} covers {NAME}'s {TILE}: {N} from {NAME}, {N} for {NAME}(, for now)?\.": covers,
    rf"{NAME} begins with {TILE}\.": lambda told, name, tile: laid_at(told, name, tile, told.laid()[0]),
    r"T(he first|he last|umber \d+) of (\d+) cheats\.": cheat,
    r"Number (\d+) of (\d+) cheats\.": cheat,
    r"The only cheat\.": only_cheat,
    rf"Stuck with {N} tiles: {N} cheats\.": stuck,
    rf"{N} tiles running without a cheat, the longest run\.": longest_run,
    r"The game is not over(?:: ([^.]+))?\.": not_over,
    r"([\w, ]+?) wins?((?: -?\d+ : -?\d+| by \d+|: [^.]+)?)\.": over,
    r"Mistake: ([^.]+?)(?:, and (\d+) more later)?\.": mistaken,
}
"""Each sentence that a reason may have, and what is true if it is said."""


def any_letter(word: str) -> bool:
    return any(map(str.isalnum, word))


def decisive(review: Review) -> int | None:
    """The step after which the leaders are those of the end for good; None if they never changed."""
    ranks = [review.standing(place).scores for place in range(len(review.steps))]
    leaders = [{seat for seat, score in enumerate(row) if score == max(row)} for row in ranks]
    place = len(leaders) - 1
    while place and leaders[place - 1] == leaders[-1]:
        place -= 1
    return place or None


def levels_of(review: Review) -> set[int]:
    """The levels on which tiles were placed."""
    return {step.event.level for step in review.steps if isinstance(step.event, Place)}
