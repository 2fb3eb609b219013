"""The moments of a game: the few steps that mattered, each in a few words and with its reason.

What may matter is a highlight: points, the lead, contracts, levels, tiles on top, slips, the end.  Every number comes
from the states, every reason from the game's points and the audit's findings.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal, NamedTuple, get_args

from msgspec import Struct
from msgspec.structs import replace

from ledger.audit.report_in_a_sentence import cause_called, mistake, slip_at
from ledger.audit.review import Review
from ledger.record import events as e
from ledger.record.scene import Pile, Row
from ledger.record.tiles import Tile
from ledger.record.visible import without_isolates
from ledger.record.words import listed, number, plural, sentence
from ledger.rules.game import GRAVE, Standing, Step

Kind = Literal["cause", "end", "contract", "bid", "score", "stack", "run", "cheat", "level", "start", "lead", "gap"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""The kinds, in the order in which one step tells them."""

MUST = 1000
"""The weight of what no story leaves out."""
MOST_CAUSES = 2
"""The most slips that are told one by one."""
MOST_OF_A_KIND = 2
"""The most moments of one kind."""
DUEL, FEW = 2, 3
"""Players who are both named, and how many are named in a row."""
_AT_MOVE = re.compile(r" at move \d+$")
FEWEST, MOST = 5, 9
"""The moments of a game; fewer where fewer steps may matter."""
WORTH_IT = 50
"""The weight from which a step is a moment, although there are enough."""
ASIDE = 40
"""From this weight on, the story also has a second thing that happened at the same step."""
PARTS = 2
"""The most highlights of one step that its words name."""
MOST_WORDS = 14
"""The most words of a caption."""
PAUSE, A_WORD, TELLING = 0.8, 0.3, 33.0
"""Seconds: before a caption is read, for each of its words, and the most for all captions of a game."""


class Highlight(NamedTuple):
    """A step that may matter, with its `weight`.

    `words` and the sentence `why` follow the name of the player at `seat` (None: they stand alone).
    """

    place: int
    kind: Kind
    weight: int
    seat: int | None
    words: str
    why: str


class MomentView(Struct, frozen=True):
    """A step that mattered, in a few `words` that no other moment of the game has.

    Its caption is a `headline`, one sentence, and perhaps `why` it mattered: at most 14 words, with first names.
    """

    seq: int
    kind: Kind
    words: str
    headline: str
    why: str


class Moment(MomentView, frozen=True, kw_only=True):
    """A moment and the `place` of its step."""

    place: int

    @property
    def seconds(self) -> float:
        """How long a film stays at the moment, so that people can read its caption."""
        return PAUSE + A_WORD * _count(f"{self.headline} {self.why}")


class MomentList(Struct, frozen=True):
    """A game in its moments, in their order, for programs."""

    record: str
    moments: tuple[MomentView, ...]


def for_programs(record_id: str, told: Iterable[Moment]) -> MomentList:
    """The moments of a game without marks that only people's screens need."""
    plain = (MomentView(m.seq, m.kind, *map(without_isolates, (m.words, m.headline, m.why))) for m in told)
    return MomentList(record_id, tuple(plain))


def moments(review: Review) -> tuple[Moment, ...]:
    """The moments of a game, in their order: five to nine, or fewer if few steps may matter or their captions are long.

    Among them are the last act, the first two slips, and the step from which on the winner was ahead for good.
    """
    review = review.informal
    groups: dict[int, list[Highlight]] = {}
    for highlight in highlights(review):
        groups.setdefault(highlight.place, []).append(highlight)
    weights = {place: max(part.weight for part in group) + len(group) for place, group in groups.items()}
    chosen: dict[int, Moment] = {}
    for place in sorted(weights, key=lambda place: (-weights[place], place)):
        moment = _moment(review, place, groups[place])
        must = weights[place] >= MUST
        alike = [other for other in chosen.values() if other.kind == moment.kind]
        long = sum(other.seconds for other in (*chosen.values(), moment)) > TELLING
        enough = len(chosen) >= MOST or (len(chosen) >= FEWEST and weights[place] < WORTH_IT)
        if must or not (enough or long or len(alike) >= MOST_OF_A_KIND):
            chosen[place] = moment
    told = [chosen[place] for place in sorted(chosen)]
    words = [moment.words for moment in told]
    return tuple(
        one if words.count(one.words) == 1 else replace(one, words=f"{one.words}, move {one.place}") for one in told
    )


def _moment(review: Review, place: int, group: Sequence[Highlight]) -> Moment:
    """The moment of a step: what mattered most there, and whatever else fits into the caption."""
    kinds = {part.kind for part in group}
    # The contract and its points are one thing, who wins leads, and points are counted for all tiles on top.
    needless = {"contract": ("score",), "end": ("lead", "gap"), "lead": ("gap",), "score": ("stack",)}
    told = {kind for other in kinds for kind in needless.get(other, ())}
    group = [part for part in group if part.kind not in told]
    best, *others = sorted(group, key=lambda part: (-part.weight, KINDS.index(part.kind)))
    parts = [best]
    for part in others:
        fits = _count(" ".join(_texts(review, [*parts, part], "why"))) <= MOST_WORDS
        if fits and part.kind != "level" and (part.weight >= ASIDE or part.kind == "score"):
            parts.append(part)
    headline, *rest = _texts(review, parts, "why")
    words = ", ".join(_texts(review, parts[:PARTS], "words"))
    words, seq = words[:1].upper() + words[1:], review.steps[place].seq
    return Moment(seq, best.kind, words, headline, " ".join(rest), place=place)


def _texts(review: Review, parts: Sequence[Highlight], field: Literal["words", "why"]) -> list[str]:
    """The words or the sentences of a step; a player who does several things in a row is named once."""
    names, texts, subject = list(review.names.values()), [], None
    for part in sorted(parts, key=lambda part: KINDS.index(part.kind)):
        text = getattr(part, field)
        name = f"{names[part.seat]} " if part.seat is not None and part.seat != subject else ""
        begin = text.removeprefix("is ")
        texts.append(f"{name}{text}" if name or field == "words" else begin[:1].upper() + begin[1:])
        subject = part.seat
    return texts


def _count(text: str) -> int:
    """How many words a text has; signs are none."""
    return sum(any(letter.isalnum() for letter in word) for word in text.split())


def summary_line(review: Review) -> str:
    """How a game was won, in a line: ``Tom won it at move 41: 16 points with one tile``; empty while nobody knows."""
    game = Timeline(review.informal)
    review, standing, names = game.review, game.review.standing(), game.names
    if not standing.finished or not standing.decided:
        return ""
    if game.shared and not review.card:
        cheats = plural(game.scores[game.last][0], "cheat")
        return f"{cheats}, and {plural(runs(game)[1][0], 'tile')} running without one" if game.gains else "No cheats"
    if len(standing.winners) != 1:
        return f"{_people(names, standing.winners)} shared it" if standing.winners else "Nobody won"
    (seat,) = standing.winners
    place = 0 if review.card or len(names) == 1 else _for_good(game)
    if place not in game.gains:
        return (
            f"{names[seat]} scored {standing.scores[seat]}" if len(names) == 1 else f"{names[seat]} won{_by(standing)}"
        )
    begin = f"{names[seat]} won it at move {place}"
    for contract in contracts(game):
        if contract.place == place and contract.kind == "contract" and contract.seat is not None:
            who = f"{names[contract.seat]} " if contract.seat != seat else ""
            return f"{begin}: {who}{contract.why.partition(':')[0]}"
    if not any(game.scores[place - 1]):
        return f"{names[seat]} led from the first points on, and won{_by(standing)}"
    points, why = plural(game.gains[place][seat], "point"), why_points(game, place, seat)
    if not why.startswith(str(game.own_tile(place, seat))):
        return f"{begin}: {points}{why[why.find(' on ') :].rstrip('.') if ' on ' in why else ''}"
    last = max(at for at, _step in game.laying())
    return f"{names[seat]} won it with the last tile: {points}" if place == last else f"{begin}: {points} with one tile"


def _by(standing: Standing) -> str:
    """By how much the only winner is ahead of the next; of two players, the result.  Empty where nobody knows."""
    if standing.unsaid or len(standing.scores) < DUEL or len(standing.winners) != 1:
        return ""
    mine, others = standing.scores[standing.winners[0]], list(standing.scores)
    others.remove(mine)
    return f" {mine} : {others[0]}" if len(others) == 1 else f" by {min(abs(mine - score) for score in others)}"


def _people(names: Sequence[str], seats: Sequence[int]) -> str:
    """A few people by name, many by their number."""
    if len(seats) > FEW:
        return f"{number(len(seats)).capitalize()} players"
    return listed(names[seat] for seat in seats)


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

    def own_tile(self, place: int, seat: int) -> Tile | None:
        """The tile that a player laid at a step; None if it was no tile of theirs."""
        event = self.review.steps[place].event
        tile: Tile | None = getattr(event, "tile", None)
        return tile if tile is not None and self.seat(event) == seat else None


def highlights(review: Review) -> Iterator[Highlight]:
    """Everything that may matter in a game."""
    game = Timeline(review)
    yield from slips(review)
    if not review.card:
        yield from cheats(game) if game.shared else (*leads(game), *gaps(game), *scores(game))
        if e.Bid in review.game.events:
            yield from contracts(game)
        yield from levels(game)
        yield from tops(game)
        yield from start(game)
    yield from end(game)


def slips(review: Review) -> Iterator[Highlight]:
    """The causes of the findings, or the mistakes themselves if nobody has looked for causes yet."""
    found: dict[int, tuple[str, str]] = {}
    if review.report.causes is not None:
        for cause in review.report.causes:
            first = review.judged[cause.findings[0]]
            why = "" if cause.repairs and len(cause.findings) > 1 else review.message(first)
            found.setdefault(review.place(slip_at(review, cause)) or 0, (cause_called(review, cause), why))
    else:
        for finding in sorted(review.judged, key=lambda finding: finding.seq):
            if finding.verdict in GRAVE:
                named = mistake(review, finding), review.message(finding)
                found.setdefault(review.place(finding.seq) or 0, named)
    more = len(found) - MOST_CAUSES
    for count, (place, (called, why)) in enumerate(sorted(found.items())[:MOST_CAUSES], 1):
        what = f"mistake: {_AT_MOVE.sub('', called)}"
        rest = f", and {more} more later" if more > 0 and count == MOST_CAUSES else ""
        told = f"{what}{rest}. {why and sentence(why)}".rstrip()
        yield Highlight(place, "cause", MUST, None, what, told if _count(told) <= MOST_WORDS else f"{what}{rest}.")


# ── The lead ───────────────────────────────────────────────────────────────────────────────────────────────


def leads(game: Timeline) -> Iterator[Highlight]:
    """Each change of the lead, by its swing; the last one, which lasts to the end, always matters."""
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
    led: set[int] = set()
    for place in changes:
        lasting = place == last_turn and game.finish is not None  # while a game goes on, nobody knows that
        weight = MUST if lasting else 45 + 30 * max(game.gains[place]) // max(1, most)
        yield _lead(game, place, weight, led, lasting=lasting)
        led |= set(game.leaders(place))


def _for_good(game: Timeline) -> int:
    """The step from which on nobody else led any more; 0 if nothing changed."""
    final = game.leaders(game.last)
    return next((place + 1 for place in range(game.last, -1, -1) if game.leaders(place) != final), 0)


def _lead(game: Timeline, place: int, weight: int, led: set[int], *, lasting: bool) -> Highlight:
    now, scores = game.leaders(place), game.scores[place]
    if len(now) > 1:
        level = f"level at {scores[now[0]]}"
        subject = _people(game.names, now)
        why = f"{subject} are {level}{', to the end' if lasting else ''}."
        return Highlight(place, "lead", weight, None, level, why)
    seat, others = now[0], [score for other, score in enumerate(scores) if other != now[0]]
    by = f"{scores[seat]} : {others[0]}" if len(others) == 1 else f"by {abs(scores[seat] - game.best(others))}"
    how = "ahead for good" if lasting else "in front again" if seat in led else "in front"
    return Highlight(place, "lead", weight, seat, f"leads {by}", f"is {how}, {by}.")


def gaps(game: Timeline) -> Iterator[Highlight]:
    """The largest lead of a finished game, and how close somebody came after the lead had changed for the last time."""
    if game.finish is None or len(game.names) < DUEL:
        return
    ranked = {place: sorted(game.scores[place], reverse=game.best is max) for place in game.gains}
    by = {place: abs(first - second) for place, (first, second, *_) in ranked.items()}
    most = max(by, key=lambda place: by[place], default=0)
    if len(seats := game.leaders(most)) == 1:
        yield Highlight(most, "gap", 50, seats[0], f"leads by {by[most]}", f"leads by {by[most]}, the most.")
    after = [place for place in by if place >= _for_good(game)]
    closest, before = min(zip(after[1:], after, strict=False), key=lambda pair: by[pair[0]], default=(0, 0))
    seat = game.scores[closest].index(ranked[closest][1]) if closest else 0
    # A chase comes nearer, and worth telling is one that had far to go.
    if closest and 0 < 2 * by[closest] <= by[most] and by[closest] < by[before] and game.gains[closest][seat] > 0:
        why = f"comes within {by[closest]}, the closest."
        yield Highlight(closest, "gap", 56, seat, f"within {by[closest]}", why)


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
    """A player's points at a step, and what brought them, as far as the rules say that in a few words."""
    step, gained = game.review.steps[place], game.gains[place][seat]
    reasons = [reason for seq, reason in game.review.scored if (seq, reason.player) == (step.seq, seat)]
    explained = sum(reason.points for reason in reasons) == gained and all(reason.points > 0 for reason in reasons)
    tile, points = game.own_tile(place, seat), plural(gained, "point")
    if explained and all(" on top of stack " in reason.because for reason in reasons):
        return f"counts {gained} on {number(len(reasons))} {'stack' if len(reasons) == 1 else 'stacks'}."
    if tile is None:
        return f"scores {points}."
    matches = f"{number(len(reasons))} {'match' if len(reasons) == 1 else 'matches'}"
    told = explained and type(step.event) is e.Place and all(reason.because.startswith("its ") for reason in reasons)
    if told and type(step.event) is e.Place:
        return f"{tile}: {matches} on level {step.event.level}, {points}."
    return f"{tile}: {points}."


def cheats(game: Timeline) -> Iterator[Highlight]:
    """The first cheat and the last one, the longest run without any, and where it got stuck."""
    found, (tiles, end) = runs(game)
    total = len(found) and game.scores[game.last][0]
    if found and tiles > 1:
        words = f"{tiles} tiles without a cheat"
        yield Highlight(end, "run", 65, None, words, f"{tiles} tiles running without a cheat, the longest run.")
    at_height = Counter(found.values())
    high, count = max(at_height.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
    hardest = max((place for place in found if found[place] == high), default=0)
    for place, weight in ({max(found): 50, min(found): 60, hardest: 68} if found else {}).items():
        so_far, tile = game.scores[place][0], getattr(game.review.steps[place].event, "tile", None)
        which = {1: "the first", total: "the last"}.get(so_far, f"number {so_far}")
        why = f"{which} of {total} cheats." if total > 1 else "the only cheat."
        if place == hardest and count > 1:
            why = f"stuck with {high} tiles: {plural(count, 'cheat')}."
        lifted = f"the {tile} is lifted" if type(game.review.steps[place].event) is e.Lift else "a tile was lifted"
        yield Highlight(place, "cheat", weight, None, f"cheat {so_far}: {lifted}", why)


def runs(game: Timeline) -> tuple[dict[int, int], tuple[int, int]]:
    """For the step of each cheat the most tiles that had lain until then; the longest run of tiles without a cheat.

    Of that run it gives the number of tiles, and the step of the last of them.
    """
    laying, found, best = dict(game.laying()), dict[int, int](), (0, 0)
    lying = most = run = 0
    for place, step in enumerate(game.review.steps):
        lying += (place in laying) - (type(step.event) is e.Lift and step.after is not step.before)
        most = max(most, lying)
        if place in game.gains:
            found[place], run = most, 0
        if place in laying:
            run += 1
            best = max(best, (run, place))
    return found, best


def contracts(game: Timeline) -> Iterator[Highlight]:
    """Each contract that was made or failed, and the bid that made it."""
    bids = [place for place, step in enumerate(game.review.steps) if type(step.event) is e.Bid]
    for place, gains in game.gains.items():
        goal, taken = game.review.scene(place - 1).goal, game.review.scene(place).taken
        if goal is None or not taken:
            continue
        took, made = taken[goal.seat], taken[goal.seat] >= goal.bid
        words = f"makes {goal.bid}" if made else f"misses {goal.bid} by {goal.bid - took}"
        got = {points: [seat for seat, n in enumerate(gains) if n == points] for points in gains if points}
        result = ", ".join(
            f"{_people(game.names, seats)} {points:+}" if seats != [goal.seat] else f"{points:+}"
            for points, seats in got.items()
        )
        why = f"bid {goal.bid} and took {took}: {result}."
        yield Highlight(place, "contract", 75 if made else 85, goal.seat, words, why)
        bid = next((at for at in reversed(bids) if at < place), None)
        event = None if bid is None else game.review.steps[bid].event
        if bid is not None and type(event) is e.Bid and game.seat(event) == goal.seat and event.bid == goal.bid:
            words = f"bids {goal.bid}"
            yield Highlight(bid, "bid", 20 + goal.bid // 4, goal.seat, words, f"{words} {goal.unit}, the highest bid.")


# ── Tiles ──────────────────────────────────────────────────────────────────────────────────────────────────


def levels(game: Timeline) -> Iterator[Highlight]:
    """The last tile of the base, if it was closed before anything lay on it, and the first tile of each level above."""
    firsts: dict[int, int] = {}
    base = None
    for place, step in game.laying():
        if type(step.event) is e.Place:
            firsts.setdefault(step.event.level, place)
            base = place if step.event.level == 1 else base
    top = max(firsts, default=0)
    found = [
        (place, 38 if level == top else 20, f"opens level {level}") for level, place in firsts.items() if level > 1
    ]
    if base is not None and base < firsts.get(2, game.last if game.finish is not None else 0):
        found.append((base, 52, "closes the base"))
    for place, weight, words in found:
        event = game.review.steps[place].event
        tile = getattr(event, "tile", "")
        yield Highlight(place, "level", weight, game.seat(event), words, f"{words} with {tile}.")


def tops(game: Timeline) -> Iterator[Highlight]:
    """Tiles that cover another player's, by the points that they move; the cover that moved most matters."""
    found = []
    for place, step in game.laying():
        event = step.event
        if type(event) is not e.Stack:
            continue
        rows = (area for area in game.review.scene(place - 1).areas if isinstance(area, Row))
        pile = next((pile for row in rows for pile in row.piles if pile.label == str(event.stack)), Pile(""))
        seat, owner = game.seat(event), pile.owners[-1] if pile.owners and not pile.hidden else None
        if owner is None or owner == seat:
            continue
        # It stays on top if nothing covers it before the points of the hand are counted.
        counted = next((at for at in game.gains if at >= place), 0)
        later = [at for at, other in game.laying() if getattr(other.event, "stack", 0) == event.stack and at > place]
        covered, stays = pile.tiles[-1], 0 < counted < min(later, default=game.last + 1)
        lost, won = (tile.first + tile.second for tile in (covered, event.tile))
        words = f"covers {game.names[owner]}'s {covered}"
        why = f"{event.tile} {words}: {lost} from {game.names[owner]}, {won} for {game.names[seat]}"
        weight = 10 + lost + won + (15 if stays else 0)
        found.append(Highlight(place, "stack", weight, seat, words, f"{why}{'' if stays else ', for now'}."))
    best = max(found, key=lambda cover: (cover.weight, -cover.place), default=None)
    yield from (cover._replace(weight=cover.weight + 25) if cover is best else cover for cover in found)


# ── Both ends ──────────────────────────────────────────────────────────────────────────────────────────────


def start(game: Timeline) -> Iterator[Highlight]:
    """The first tile."""
    for place, step in islice(game.laying(), 1):
        words = f"begins with {getattr(step.event, 'tile', '')}"
        yield Highlight(place, "start", 15, game.seat(step.event), words, f"{words}.")


def end(game: Timeline) -> Iterator[Highlight]:
    """The last act, or who won."""
    review, standing = game.review, game.review.standing()
    if game.finish is None:
        acts = [place for place, step in enumerate(review.steps) if type(step.event) in e.ACTS]
        if acts and acts[-1] > 0:
            scores = ", ".join(f"{name} {score}" for name, score in zip(game.names, standing.shown, strict=True))
            so_far = f": {scores}" if len(game.names) <= FEW else ""
            yield Highlight(acts[-1], "end", MUST, None, "the last act", f"The game is not over{so_far}.")
        return
    winners, by = standing.winners, "" if standing.title else _by(standing)
    if not winners:
        yield Highlight(game.finish, "end", MUST, None, "the game is over", "game over, and nobody won.")
        return
    seat, verb = (winners[0], "wins") if len(winners) == 1 else (None, f"{_people(game.names, winners)} win")
    title = f": {standing.title}" if standing.title else by
    yield Highlight(game.finish, "end", MUST, seat, f"{verb}{by}", f"{verb}{title}.")
