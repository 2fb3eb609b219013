"""Checks each sentence and the words of a moment against the states of its game, without the code that wrote them."""

from __future__ import annotations

import re
from collections.abc import Callable

from ledger.audit.moments import Moment
from ledger.audit.review import Review
from ledger.record.events import MOVES, Bid, Lift, Place, Stack
from ledger.record.scene import Grid, Row

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
        text = self.moment.why
        while text:
            for pattern, check in SENTENCES.items():
                match = re.match(pattern + r"(?: |$)", text)
                if match:
                    check(self, *match.groups())
                    text = text[match.end() :]
                    break
            else:
                text = self.a_finding(text)

    def a_finding(self, text: str) -> str:
        """The text after the sentence of a finding, or of a repair, that is at this step."""
        report = self.review.report
        here = [finding for finding in self.review.judged if self.review.place(finding.seq) == self.place]
        messages = [self.review.message(finding) for finding in here]
        messages += [repair.message for cause in report.causes or () for repair in cause.repairs]
        for message in messages:
            sentence = f"{message[:1].upper()}{message[1:].rstrip('.')}."
            if text.startswith(sentence):
                assert "istake: " in self.moment.words
                return text[len(sentence) :].lstrip()
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


def scored(told: Told, subject: str, total: str, whys: str) -> None:
    own = re.fullmatch(rf"{NAME}'s {TILE}", subject)
    name = own[1] if own else subject
    if own:
        told.acts(own[1], own[2])
    assert told.gain(name) == int(total)
    if bid := re.fullmatch(rf"{NAME} bid {N}, took {N} (?:tiles|points) and (?:made it|missed it by {N})", whys):
        assert told.review.scene(told.place).taken[told.names.index(bid[1])] == int(bid[3])
        assert bid[4] is None or int(bid[2]) - int(bid[3]) == int(bid[4])
        assert (bid[4] is None) == (int(bid[3]) >= int(bid[2]))
        return
    reasons = whys.split(" and ")
    for reason in reasons:
        because(told, reason)


def because(told: Told, reason: str) -> None:
    """One reason for points of a tile on squares."""
    event = told.step.event
    if covers := re.fullmatch(r"its (\d+) on (\w+) covers a (\d+), times (\d+)", reason):
        pips, at, below, times = covers.groups()
        assert pips == below
        assert told.squares(told.place)[at, event.level] == int(pips)
        assert told.squares(told.place - 1)[at, event.level - 1] == int(pips)
        assert int(times) == event.level - (told.review.opening.options["first_building_level"] == 1)
    elif equals := re.fullmatch(r"its (\d+) on (\w+) equals the (\d+) on (\w+)", reason):
        pips, at, other, neighbour = equals.groups()
        assert pips == other
        squares = told.squares(told.place)
        assert squares[at, 1] == squares[neighbour, 1] == int(pips)
    else:
        top = re.fullmatch(r"(\d+-\d+) \(\d+ pips?\) on top of stack (\d+)", reason)
        assert top, reason
        assert told.top(told.place, int(top[2]))[1] == top[1]


def in_parts(told: Told, name: str, total: str, parts: str, most: str, reason: str) -> None:
    assert told.gain(name) == int(total)
    seat = told.names.index(name)
    reasons = [r for seq, r in told.review.scored if seq == told.moment.seq and r.player == seat]
    assert len(reasons) == int(parts)
    assert max(r.points for r in reasons) == int(most)
    because(told, reason)


def has_now(told: Told, name: str, score: str) -> None:
    assert told.score(name, told.place) == int(score)


def leads(told: Told, name: str, end: str) -> None:
    """The end of a sentence about the lead."""
    if end == "leads for good":
        assert told.review.standing().finished
        assert all(told.leaders(place) == {name} for place in range(told.place, told.last + 1))
        return
    assert told.leaders(told.place) == {name}
    mine = told.score(name, told.place)
    others = [told.score(other, told.place) for other in told.names if other != name]
    if by := re.fullmatch(r"leads by (\d+)", end):
        assert mine - max(others) == int(by[1])
    else:
        assert end == f"leads {mine} : {others[0]}"


def was_level(told: Told, mine: str, other: str, name: str, end: str) -> None:
    assert mine == other
    assert set(told.scores(told.place - 1)) == {int(mine)}
    leads(told, name, end)


def was_behind(told: Told, name: str, mine: str, other: str, end: str) -> None:
    assert int(mine) < int(other)
    assert told.score(name, told.place - 1) == int(mine)
    assert set(told.scores(told.place - 1)) == {int(mine), int(other)}
    leads(told, name, end)


def was_behind_one(told: Told, name: str, by: str, other: str, end: str) -> None:
    assert other in told.leaders(told.place - 1)
    assert told.score(other, told.place - 1) - told.score(name, told.place - 1) == int(by) > 0
    leads(told, name, end)


def nobody_led(told: Told, name: str, end: str) -> None:
    assert len(told.leaders(told.place - 1)) > 1
    leads(told, name, end)


def are_level(told: Told, names: str, score: str, to_the_end: str | None) -> None:
    people = set(re.split(", | and ", names))
    assert all(told.leaders(place) == people for place in range(told.place, told.last + 1))
    assert bool(to_the_end) == told.review.standing().finished
    assert max(told.scores(told.place)) == int(score)


def contract(told: Told, name: str, bid: str, took: str, _unit: str, gains: str) -> None:
    assert told.review.scene(told.place).taken[told.names.index(name)] == int(took)
    bids = [step.event for step in told.review.steps[: told.place] if type(step.event) is Bid]
    best = bids[-1]
    assert (told.names[told.review.opening.seat(best.player)], best.bid) == (name, int(bid))
    assert gains == ", ".join(f"{other} {told.gain(other):+}" for other in told.names if told.gain(other))
    made = f"{name} makes {bid}" in told.moment.words
    assert made == (int(took) >= int(bid))
    assert made or f"{name} misses {bid} by {int(bid) - int(took)}" in told.moment.words


def has_to_take(told: Told, name: str, bid: str, _unit: str, took: str) -> None:
    event = told.step.event
    assert type(event) is Bid
    assert (told.names[told.review.opening.seat(event.player)], event.bid) == (name, int(bid))
    later = [n for n in range(told.place + 1, told.last + 1) if told.scores(n) != told.scores(n - 1)]
    assert told.review.scene(later[0]).taken[told.names.index(name)] == int(took)


def base_closed(told: Told, name: str, tile: str) -> None:
    told.acts(name, tile)
    assert told.at_level(1)[-1] == told.place


def level_opened(told: Told, name: str, tile: str, level: str) -> None:
    told.acts(name, tile)
    assert told.at_level(int(level))[0] == told.place


def covers(told: Told, name: str, tile: str, owner: str, covered: str, stack: str, stays: str | None) -> None:
    told.acts(name, tile)
    assert told.top(told.place - 1, int(stack)) == (owner, covered)
    event = told.step.event
    assert type(event) is Stack
    scored = (n for n in range(max(1, told.place), told.last + 1) if told.scores(n) != told.scores(n - 1))
    counted = next(scored, None)
    later = [
        step for step in told.review.steps[told.place + 1 : (counted or told.last) + 1]
        if type(step.event) is Stack and step.event.stack == event.stack and step.after is not step.before
    ]  # fmt: skip
    assert bool(stays) == (counted is not None and not later)
    if counted is not None and stays:
        assert told.top(counted, int(stack))[0] == name


def takes_the_most(told: Told, name: str, count: str, _unit: str) -> None:
    taken = [told.review.scene(place).taken for place in range(told.last + 1)]
    within = [n for n in range(1, told.last + 1) if told.scores(n) == told.scores(n - 1) and taken[n - 1] and taken[n]]
    assert max(new - old for n in within for old, new in zip(taken[n - 1], taken[n], strict=True)) == int(count)
    seat = told.names.index(name)
    assert taken[told.place][seat] - taken[told.place - 1][seat] == int(count)


def first_tile(told: Told, name: str, tile: str) -> None:
    told.acts(name, tile)
    assert told.laid()[0] == told.place


def half(told: Told, number: str, total: str) -> None:
    assert told.laid()[int(number) - 1] == told.place
    assert len(told.laid()) == int(total) in (2 * int(number), 2 * int(number) - 1)


def cheat(told: Told, number: str, total: str) -> None:
    assert set(told.scores(told.place)) == {1 if number == "the first" else int(number.removeprefix("number "))}
    assert set(told.scores(told.last)) == {int(total)}
    assert type(told.step.event) is Lift or "a tile was lifted" in told.moment.words


def not_over(told: Told, scores: str) -> None:
    assert not told.review.standing().finished
    assert scores == ", ".join(f"{name} {told.score(name, told.last)}" for name in told.names)


def over(told: Told, ending: str) -> None:
    standing = told.review.standing(told.place)
    assert standing.finished
    assert told.review.standing(told.place - 1) != standing == told.review.standing()
    winners = {told.names[seat] for seat in standing.winners}
    if ending.startswith("All "):
        assert winners == set(told.names)
        return
    named, wins, rest = re.fullmatch(r"(.+?) wins?(:?) ?(.*)", ending).groups()  # type: ignore[union-attr]
    assert set(re.split(", | and ", named)) == winners
    if standing.title:
        assert rest == standing.title
    elif wins:
        found = dict(part.rsplit(" ", 1) for part in rest.split(", "))
        assert found == {name: str(told.score(name, told.place)) for name in told.names}
    else:
        assert sorted(map(int, rest.split(" : "))) == sorted(told.scores(told.place))


def more_mistakes(told: Told, count: str) -> None:
    assert told.review.report.findings
    assert int(count) > 0


SENTENCES: dict[str, Callable[..., None]] = {
    rf"({NAME[1:-1]}'s {TILE[1:-1]}|\w+) (?:scores |\+){N}: (.+?)\.": scored,
    rf"{NAME} scores {N} in {N} parts, the most {N} for ([^.]+)\.": in_parts,
    rf"{NAME} has {N} now\.": has_now,
    rf"It was {N} : {N}, and {NAME} (leads [^.]+)\.": was_level,
    rf"{NAME} was behind {N} : {N} and (leads [^.]+)\.": was_behind,
    rf"{NAME} was {N} behind {NAME} and (leads [^.]+)\.": was_behind_one,
    rf"Nobody led alone, and now {NAME} (leads [^.]+)\.": nobody_led,
    rf"([\w, ]+) are level at {N}( to the end)?\.": are_level,
    rf"{NAME} bid {N} and took {N} (tiles|points): ([^.]*)\.": contract,
    rf"{NAME} has to take {N} (tiles|points) and takes {N}\.": has_to_take,
    rf"{NAME}'s {TILE} is the last tile of the base\.": base_closed,
    rf"{NAME}'s {TILE} is the first tile on level {N}\.": level_opened,
    rf"{NAME}'s {TILE} covers {NAME}'s {TILE} on stack {N}( and stays on top until the hand is counted)?\.": covers,
    rf"{NAME} takes {N} (tiles|points) at once, the most before the end of a hand\.": takes_the_most,
    rf"{NAME}'s {TILE} is the first tile on the table\.": first_tile,
    r"(\d+) of (\d+) tiles? laid\.": half,
    r"It is (the first|number \d+) of (\d+) cheats?\.": cheat,
    r"The game is not over: ([^.]+)\.": not_over,
    r"Game over\. ([^.]+)\.": over,
    rf"The game has {N} more mistakes?\.": more_mistakes,
}
"""Each sentence that a reason may have, and what is true if it is said."""


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
