"""The moments of a game: the few steps that mattered, each in a few words and with its reason.

What may matter is a highlight: points, the lead, contracts, levels, tiles on top, slips, the end.  Every number comes
from the states, every reason from the game's points and the audit's findings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from msgspec import Struct

from ledger.audit.report_in_a_sentence import cause_called, mistake, slip_at
from ledger.audit.review import Review, game_over
from ledger.record import events as e
from ledger.record.scene import Pile, Row
from ledger.record.visible import without_isolates
from ledger.record.words import listed, plural
from ledger.rules.game import GRAVE, Points, Step

Kind = Literal["cause", "contract", "bid", "score", "cheat", "level", "stack", "pile", "start", "half", "lead", "end"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""The kinds, in the order in which the words of one step name them."""

MUST = 1000
"""The weight of what no story leaves out."""
MOST_CAUSES = 5
"""The most slips that are told one by one."""
FEW_HANDS = 2
"""With this few hands, the story also has what happened within them."""
MOST_REASONS = 2
"""The most reasons for the points of one step that are told one by one."""
DUEL = 2
_AT_MOVE = re.compile(r" at move \d+$")
FEWEST, MOST = 5, 9
"""The moments of a game; fewer where fewer steps may matter."""
WORTH_IT = 50
"""The weight from which a step is a moment, although there are enough."""
ASIDE = 40
"""From this weight on, the story also has a second thing that happened at the same step."""
PARTS = 3
"""The most highlights of one step that its words and its reason tell."""


class Highlight(NamedTuple):
    """A step that may matter, with its `weight`.

    `words` follow the name of the player at `seat` (None: they stand alone); `why` is whole sentences.
    """

    place: int
    kind: Kind
    weight: int
    seat: int | None
    words: str
    why: str


class Moment(NamedTuple):
    """A step that mattered.

    `words` differ from those of every other moment of the game; `why` is the reason, in whole sentences.
    """

    place: int
    seq: int
    kind: Kind
    words: str
    why: str


class MomentView(Struct, frozen=True):
    """A step that mattered, in a few words, and the reason in whole sentences.  No two have the same words."""

    seq: int
    kind: Kind
    words: str
    why: str


class MomentList(Struct, frozen=True):
    """A game in its moments, in their order, for programs."""

    record: str
    moments: tuple[MomentView, ...]


def for_programs(record_id: str, told: Iterable[Moment]) -> MomentList:
    """The moments of a game without marks that only people's screens need."""
    plain = (MomentView(one.seq, one.kind, without_isolates(one.words), without_isolates(one.why)) for one in told)
    return MomentList(record_id, tuple(plain))


def moments(review: Review) -> tuple[Moment, ...]:
    """The moments of a game, in their order: five to nine, or fewer if few steps may matter.

    Among them are the last act, the first five slips, and the step from which on the winner was ahead for good.
    """
    groups: dict[int, list[Highlight]] = {}
    for highlight in highlights(review):
        groups.setdefault(highlight.place, []).append(highlight)
    weights = {place: max(part.weight for part in group) + len(group) for place, group in groups.items()}
    ranked = sorted(weights, key=lambda place: (-weights[place], place))[:MOST]
    chosen = sorted(place for count, place in enumerate(ranked) if count < FEWEST or weights[place] >= WORTH_IT)
    parts = [_parts(groups[place]) for place in chosen]
    words = _told_apart(review, chosen, [_words(review, group) for group in parts])
    return tuple(
        Moment(place, review.steps[place].seq, _kind(group), text, " ".join(dict.fromkeys(_sentences(group))))
        for place, text, group in zip(chosen, words, parts, strict=True)
    )


def _parts(group: Sequence[Highlight]) -> list[Highlight]:
    """The weightiest highlights of a step, in the order of the words."""
    kinds = {part.kind for part in group}
    best, *others = sorted(group, key=lambda part: -part.weight)
    # The contract and its points are one thing; points are counted for all tiles on top.
    needless = "score" if "contract" in kinds else "stack" if "score" in kinds else ""
    others = [part for part in others if part.kind != needless and (part.weight >= ASIDE or part.kind == "score")]
    return sorted([best, *others][:PARTS], key=lambda part: KINDS.index(part.kind))


def _kind(group: Sequence[Highlight]) -> Kind:
    return max(group, key=lambda part: part.weight).kind


def _sentences(group: Sequence[Highlight]) -> Iterator[str]:
    return (part.why for part in group if part.why)


def _words(review: Review, group: Sequence[Highlight]) -> str:
    """The words of a step; a player who does several things in a row is named once."""
    names, text, subject = list(review.names.values()), "", None
    for part in group:
        name = f"{names[part.seat]} " if part.seat is not None and part.seat != subject else ""
        words = part.words if text or part.seat is not None else part.words[:1].upper() + part.words[1:]
        text += f"{', ' if text else ''}{name}{words}"
        subject = part.seat
    return text


def _told_apart(review: Review, places: Sequence[int], words: list[str]) -> list[str]:
    """The words of each moment; where two are the same, the score of two players or the move follows."""
    scored = list(words)
    for n, place in enumerate(places):
        scores = review.standing(place).scores
        if words.count(words[n]) > 1 and len(scores) == DUEL:
            scored[n] = f"{words[n]}, {' : '.join(map(str, scores))}"
    return [
        f"{words[n]}, move {review.steps[place].seq}" if scored.count(text) > 1 or text in words[:n] + words[n + 1 :]
        else text
        for n, (place, text) in enumerate(zip(places, scored, strict=True))
    ]  # fmt: skip


# ── What may matter ──────────────────────────────────────────────────────────────────────────────────────


class Timeline:
    """A game as its highlights need it: the scores and the leaders after each step."""

    def __init__(self, review: Review) -> None:
        self.review, self.names = review, list(review.names.values())
        self.shared = e.Cheats in review.game.events
        """Whether all players have the same points, so that nobody leads."""
        self.best = min if review.standing().low_wins else max
        """Of some scores, the one that is ahead: no rules of a game say it, but its end does."""
        standings = [review.standing(place) for place in range(len(review.steps))]
        self.scores = [standing.scores for standing in standings]
        self.last = len(standings) - 1
        self.finish: int | None = None
        """The step from which on the game was over, with the scores of the end; None while it goes on."""
        if standings[-1].finished:
            differing = [place for place, standing in enumerate(standings) if standing != standings[-1]]
            self.finish = differing[-1] + 1 if differing else None
        self.gains: dict[int, tuple[int, ...]] = {}
        for place, (before, after) in enumerate(zip(self.scores, self.scores[1:], strict=False), 1):
            if before != after:
                self.gains[place] = tuple(new - old for old, new in zip(before, after, strict=True))
        self.reasons: dict[int, list[Points]] = {}
        for seq, reason in review.scored:
            self.reasons.setdefault(seq, []).append(reason)

    def leaders(self, place: int) -> tuple[int, ...]:
        """The seats that are ahead after a step."""
        scores = self.scores[place]
        return tuple(seat for seat, score in enumerate(scores) if score == self.best(scores))

    def laying(self) -> Iterator[tuple[int, Step]]:
        """The steps that laid a tile on the table."""
        for place, step in enumerate(self.review.steps):
            if type(step.event) in e.MOVES and step.after is not step.before:
                yield place, step

    def seat(self, event: e.Event) -> int:
        """The seat of an act's player."""
        return self.review.opening.seat(e.actor(event) or "")


def highlights(review: Review) -> Iterator[Highlight]:
    """Everything that may matter in a game."""
    game = Timeline(review)
    yield from slips(review)
    if review.card:
        yield from both_ends(game)
        return
    if game.shared:
        yield from cheats(game)
    else:
        yield from leads(game)
        yield from scores(game)
    if e.Bid in review.game.events:
        yield from contracts(game)
        if len(game.gains) <= FEW_HANDS:
            yield from largest_pile(game)
    yield from levels(game)
    yield from tops(game)
    yield from both_ends(game)


def slips(review: Review) -> Iterator[Highlight]:
    """The causes of the findings, or the mistakes themselves if nobody has looked for causes yet."""
    found: dict[int, tuple[str, str]] = {}
    if review.report.causes is not None:
        for cause in review.report.causes:
            findings = [review.judged[index] for index in cause.findings]
            explained = bool(cause.repairs) and len(findings) > 1
            why = cause.repairs[0].message if explained else review.message(findings[0])
            found.setdefault(review.place(slip_at(review, cause)) or 0, (cause_called(review, cause), why))
    else:
        for finding in sorted(review.judged, key=lambda finding: finding.seq):
            if finding.verdict in GRAVE:
                place = review.place(finding.seq) or 0
                found.setdefault(place, (mistake(review, finding), review.message(finding)))
    more = len(found) - MOST_CAUSES
    for count, (place, (called, why)) in enumerate(sorted(found.items())[:MOST_CAUSES], 1):
        rest = f" The game has {plural(more, 'more mistake')}." if more > 0 and count == MOST_CAUSES else ""
        sentence = f"{why[:1].upper()}{why[1:].rstrip('.')}.{rest}"
        yield Highlight(place, "cause", MUST, None, f"mistake: {_AT_MOVE.sub('', called)}", sentence)


# ── The lead ───────────────────────────────────────────────────────────────────────────────────────────────


def leads(game: Timeline) -> Iterator[Highlight]:
    """Each change of the lead; the last one, which lasts to the end, always matters."""
    if len(game.names) < DUEL:
        return
    last_turn = _for_good(game)
    changes: list[int] = []
    leader: tuple[int, ...] = ()
    for place in game.gains:
        now = game.leaders(place)
        if place == last_turn or (len(now) == 1 and now != leader):
            changes.append(place)
        leader = now if len(now) == 1 else leader
    most = max((max(game.gains[place]) for place in changes), default=1)
    for place in changes:
        lasting = place == last_turn and game.finish is not None  # while a game goes on, nobody knows that
        weight = MUST if lasting else 45 + 30 * max(game.gains[place]) // max(1, most)
        yield _lead(game, place, weight, lasting=lasting)


def _for_good(game: Timeline) -> int:
    """The step from which on nobody else led any more; 0 if nothing changed."""
    final = game.leaders(game.last)
    return next((place + 1 for place in range(game.last, -1, -1) if game.leaders(place) != final), 0)


def _lead(game: Timeline, place: int, weight: int, *, lasting: bool) -> Highlight:
    now, names, scores = game.leaders(place), game.names, game.scores[place]
    if len(now) > 1:
        level = f"{listed(names[seat] for seat in now)} are level at {scores[now[0]]}"
        why = f"{level}{' to the end' if lasting else ''}."
        return Highlight(place, "lead", weight, None, f"level at {scores[now[0]]}", why)
    seat, before = now[0], game.scores[place - 1]
    if len(names) == DUEL:
        leads = "leads for good" if lasting else f"leads {scores[seat]} : {scores[1 - seat]}"
        mine, other = before[seat], before[1 - seat]
        was = f"It was {mine} : {other}, and {names[seat]}" if mine == other else ""
        was = was or f"{names[seat]} was behind {mine} : {other} and"
    else:
        second = game.best([score for other, score in enumerate(scores) if other != seat])
        leads = "leads for good" if lasting else f"leads by {abs(scores[seat] - second)}"
        ahead = game.leaders(place - 1)
        was = f"{names[seat]} was {abs(game.best(before) - before[seat])} behind {names[ahead[0]]} and"
        if seat in ahead:
            was = f"Nobody led alone, and now {names[seat]}"
    return Highlight(place, "lead", weight, seat, "takes the lead", f"{was} {leads}.")


# ── Points ─────────────────────────────────────────────────────────────────────────────────────────────────


def scores(game: Timeline) -> Iterator[Highlight]:
    """The points of each step that brought any, the most first of all."""
    most = max((max(gains) for gains in game.gains.values()), default=0)
    for place, gains in game.gains.items():
        if max(gains) > 0:
            seat = gains.index(max(gains))
            weight = 25 + 45 * gains[seat] // most + (10 if gains[seat] == most else 0)
            yield Highlight(place, "score", weight, seat, f"+{gains[seat]}", why_points(game, place, seat))


def why_points(game: Timeline, place: int, seat: int) -> str:
    """The reasons for a player's points at a step, as a sentence; the score if they do not make up the points."""
    step, name, review = game.review.steps[place], game.names[seat], game.review
    gained = game.gains[place][seat]
    reasons = [reason for reason in game.reasons.get(step.seq, ()) if reason.player == seat]
    if sum(reason.points for reason in reasons) != gained:
        return f"{name} has {game.scores[place][seat]} now."
    whys = [review.named(reason.because) for reason in reasons]
    best = max(reasons, key=lambda reason: reason.points)
    if len(reasons) > MOST_REASONS:
        told = f"{len(reasons)} parts, the most {best.points} for {review.named(best.because)}"
        return f"{name} scores {gained} in {told}."
    tile = getattr(step.event, "tile", None)
    own = tile is not None and game.seat(step.event) == seat
    subject = f"{name}'s {tile} scores {gained}" if own else f"{name} +{gained}"
    return f"{subject}: {' and '.join(whys)}."


def cheats(game: Timeline) -> Iterator[Highlight]:
    """The first cheat, the last one, and the one that makes half of them; all players have the same points."""
    if not game.gains:
        return
    total = game.scores[game.last][0]
    half = next(place for place in game.gains if 2 * game.scores[place][0] >= total)
    for place, weight in {half: 35, max(game.gains): 50, min(game.gains): 60}.items():
        so_far, tile = game.scores[place][0], getattr(game.review.steps[place].event, "tile", None)
        why = f"It is {'the first' if so_far == 1 else f'number {so_far}'} of {plural(total, 'cheat')}."
        lifted = f"the {tile} is lifted" if type(game.review.steps[place].event) is e.Lift else "a tile was lifted"
        yield Highlight(place, "cheat", weight, None, f"cheat {so_far}: {lifted}", why)


def contracts(game: Timeline) -> Iterator[Highlight]:
    """Each contract that was made or failed, and the bid that made it."""
    bids = [place for place, step in enumerate(game.review.steps) if type(step.event) is e.Bid]
    for place in game.gains:
        goal, taken = game.review.scene(place - 1).goal, game.review.scene(place).taken
        if goal is None or not taken:
            continue
        took, name, unit = taken[goal.seat], game.names[goal.seat], goal.unit
        made = took >= goal.bid
        words = f"makes {goal.bid}" if made else f"misses {goal.bid} by {goal.bid - took}"
        got = "".join(f", {game.names[seat]} {n:+}" for seat, n in enumerate(game.gains[place]) if n).lstrip(", ")
        why = f"{name} bid {goal.bid} and took {took} {unit}: {got}."
        yield Highlight(place, "contract", 75 if made else 85, goal.seat, words, why)
        bid = next((at for at in reversed(bids) if at < place), None)
        event = None if bid is None else game.review.steps[bid].event
        if bid is not None and type(event) is e.Bid and game.seat(event) == goal.seat and event.bid == goal.bid:
            why = f"{name} has to take {goal.bid} {unit} and takes {took}."
            yield Highlight(bid, "bid", 20 + goal.bid // 4, goal.seat, f"bids {goal.bid}", why)


def largest_pile(game: Timeline) -> Iterator[Highlight]:
    """The first of the largest piles that anybody took before the end of a hand."""
    best, unit = (0, 0, 0), "tiles"
    before: tuple[int, ...] = ()
    for place in range(1, game.last + 1):
        scene = game.review.scene(place)
        unit = scene.goal.unit if scene.goal else unit
        for seat, (old, new) in enumerate(zip(before, scene.taken, strict=False)):
            if place not in game.gains:
                best = max(best, (new - old, -place, seat))
        before = scene.taken
    most, place, seat = best[0], -best[1], best[2]
    if most > 0:
        why = f"{game.names[seat]} takes {most} {unit} at once, the most before the end of a hand."
        yield Highlight(place, "pile", 30, seat, f"takes {most} {unit} at once", why)


# ── Tiles ──────────────────────────────────────────────────────────────────────────────────────────────────


def levels(game: Timeline) -> Iterator[Highlight]:
    """The last tile of the base, and the first tile of each level above it."""
    firsts: dict[int, int] = {}
    base = None
    for place, step in game.laying():
        if type(step.event) is e.Place:
            firsts.setdefault(step.event.level, place)
            base = place if step.event.level == 1 else base
    if base is not None and (len(firsts) > 1 or game.finish is not None):
        yield _level(game, base, 70, "closes the base", "the last tile of the base")
    for level, place in firsts.items():
        if level > 1:
            weight = 38 if level == max(firsts) else 20
            yield _level(game, place, weight, f"opens level {level}", f"the first tile on level {level}")


def _level(game: Timeline, place: int, weight: int, words: str, what: str) -> Highlight:
    event = game.review.steps[place].event
    assert type(event) is e.Place  # noqa: S101  only placements have levels
    seat = game.seat(event)
    return Highlight(place, "level", weight, seat, words, f"{game.names[seat]}'s {event.tile} is {what}.")


def tops(game: Timeline) -> Iterator[Highlight]:
    """Tiles that cover another player's, by what both are worth."""
    if e.Stack not in game.review.game.events:
        return
    for place, step in game.laying():
        event = step.event
        if type(event) is not e.Stack:
            continue
        pile = pile_called(game.review, place - 1, str(event.stack))
        seat, owner = game.seat(event), pile.owners[-1] if pile and pile.owners and not pile.hidden else None
        if pile is None or owner is None or owner == seat:
            continue
        covered = pile.tiles[-1]
        end = _covered_later(game, place, event.stack)
        pips = event.tile.first + event.tile.second + covered.first + covered.second
        stays = " and stays on top until the hand is counted" if end is None else ""
        words = f"covers {game.names[owner]}'s {covered}"
        why = f"{game.names[seat]}'s {event.tile} covers {game.names[owner]}'s {covered} on stack {event.stack}{stays}."
        yield Highlight(place, "stack", 10 + pips + (15 if end is None else 0), seat, words, why)


def pile_called(review: Review, place: int, label: str) -> Pile | None:
    """The stack with that number after a step."""
    piles = (pile for area in review.scene(place).areas if isinstance(area, Row) for pile in area.piles)
    return next((pile for pile in piles if pile.label == label), None)


def _covered_later(game: Timeline, place: int, stack: int) -> int | None:
    """The next step that covers the top of a stack before the points of the hand are counted; None if none does."""
    until = next((at for at in game.gains if at >= place), None)
    if until is None:
        return game.last  # nobody counted it
    later = (at for at, step in game.laying() if place < at <= until and getattr(step.event, "stack", None) == stack)
    return next(later, None)


def both_ends(game: Timeline) -> Iterator[Highlight]:
    """The first tile and the last act."""
    review = game.review
    laid = list(game.laying())
    if laid:
        place, step = laid[0]
        first, tile = game.seat(step.event), getattr(step.event, "tile", None)
        why = f"{game.names[first]}'s {tile} is the first tile on the table."
        yield Highlight(place, "start", 15, first, f"begins with {tile}", why)
        half = (len(laid) + 1) // 2
        why = f"{half} of {plural(len(laid), 'tile')} laid."
        yield Highlight(laid[half - 1][0], "half", 12, None, "half of the moves", why)
    standing = review.standing()
    if game.finish is None:
        acts = [place for place, step in enumerate(review.steps) if type(step.event) in e.ACTS]
        if acts and acts[-1] > 0:
            yield Highlight(acts[-1], "end", MUST, None, "the last act", so_far(review))
        return
    ending = game_over(standing, review.opening.names)
    winners = [game.names[seat] for seat in standing.winners]
    words = f"{listed(winners)} {'wins' if len(winners) == 1 else 'win'}"
    seat: int | None = None
    if len(winners) == 1:
        words, seat = "wins", standing.winners[0]
    if len(game.names) == DUEL and not standing.title and len(winners) == 1:
        winner, other = sorted(range(DUEL), key=lambda one: standing.places[one] or DUEL)
        words = f"wins {standing.scores[winner]} : {standing.scores[other]}"
    yield Highlight(game.finish, "end", MUST, seat, words if winners else "the game is over", f"{ending}.")


def so_far(review: Review) -> str:
    """How a game stands that is not over, as a sentence."""
    standing = review.standing()
    scores = ", ".join(f"{name} {score}" for name, score in zip(review.names.values(), standing.shown, strict=True))
    return f"The game is not over: {scores}."
