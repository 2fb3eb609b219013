"""The clauses of Ziggurat, and the reasons for its points.

A clause returns at once if an event does not concern it.  The impossible is judged first and reported alone.
"""

from collections.abc import Mapping, Sequence

from ledger.games.ziggurat import state as s
from ledger.games.ziggurat.base import equals, fillable, scoring
from ledger.games.ziggurat.table import factor, hand_size, worth
from ledger.record.events import Aside, Deal, Event, Pass, Place, Result, Score
from ledger.record.grid import LEVEL, said
from ledger.record.sentences import PLAYER, who
from ledger.record.tiles import full, mask, size
from ledger.record.words import a_number, plural
from ledger.rules import shared_clauses
from ledger.rules.evidence import Evidence, Hand, Shared, prove
from ledger.rules.game import Clause, Fault, Points, Standing, Step, clause, in_order
from ledger.rules.shared_clauses import NOTHING, Faults

# ── What is impossible at any table ────────────────────────────────────────────────────────────────────────


def elsewhere(before: s.Ziggurat, event: Deal | Aside | Place) -> Sequence[shared_clauses.Elsewhere]:
    """The tiles that are already in another place."""
    if type(event) is Place:
        if before.latest == s.placed_as(before.rules.seat[event.player], *s.squares(event), event.tile):
            return [(event.tile.bit, "was recorded twice: the move before is the same")]
        return [(event.tile.bit, "lies on the table already")] if event.tile.index in before.lies else ()
    on_table, players = s.lying(before), before.rules.players
    dealt_out: list[shared_clauses.Elsewhere] = []
    for seat, (player, dealt) in enumerate(zip(players, before.dealt, strict=True)):
        if player != event.player or type(event) is Aside:
            dealt_out.append((dealt, f"was dealt to {who(seat)}"))
        else:
            # A tile that is dealt again may have been played by now.
            on_table &= ~dealt
    aside = [(before.aside, "was set aside")] if type(event) is Deal else []
    return [*dealt_out, (on_table, "lies on the table already"), *aside]


# A domino that was laid and is known is of the set, was nowhere else, and found its squares free.  If it was also that
# player's turn, and the domino had not been set aside, these clauses find nothing wrong.
def may_be_irregular(before: s.Ziggurat, event: Event, after: s.Ziggurat) -> bool:
    """Whether an event is anything but a known domino that was laid in turn and had not been set aside."""
    if type(event) is not Place or after.lies is before.lies:
        return True
    return before.turn.seat != before.rules.seat[event.player] or bool(event.tile.bit & before.aside)


once = shared_clauses.once((Deal, Aside, Place), elsewhere, may_be_irregular)
in_set = shared_clauses.in_set((Deal, Aside, Place), lambda state: state.rules.largest, may_be_irregular)


@clause("ziggurat.occupied", "A square of a level holds one half.", Place, verdict="impossible",
        when=may_be_irregular)  # fmt: skip
def occupied(before: s.Ziggurat, event: Place, after: s.Ziggurat, _evidence: object) -> Faults:
    if after.levels is not before.levels:
        return NOTHING  # it was laid there, and nobody knows which domino it is
    here, (one, other) = s.squares_on(before.levels, event.level), s.squares(event)
    if one not in here and other not in here:
        return NOTHING
    taken = [said(at) for at in (one, other) if at in here]
    where = " and ".join(taken)
    message = f"No room for the {event.tile} on level {event.level}: {where} {'is' if len(taken) == 1 else 'are'} taken"
    return [Fault(message, claimed=where)]


# ── Setting up and taking turns ────────────────────────────────────────────────────────────────────────────


@clause("ziggurat.setup.deal", "The set is dealt evenly, and what is left over is out of the game.", Deal, Place,
        when=may_be_irregular)  # fmt: skip
def deal(before: s.Ziggurat, event: Deal | Place, _after: s.Ziggurat, _evidence: object) -> Faults:
    if isinstance(event, Place):
        if not event.tile.bit & before.aside:
            return NOTHING
        return [Fault(f"The {event.tile} was set aside and is out of the game", claimed=str(event.tile))]
    share, seat, tiles = before.rules.share, before.rules.seat[event.player], mask(event.tiles)
    again, count = not tiles & ~before.dealt[seat], hand_size(before, event, tiles)
    if count == share or (event.partial and (again or count < share)):
        return NOTHING
    # A hand of the wrong size that is written twice is reported once.
    if again and before.whole >> seat & 1 and count == before.sizes[seat]:
        return NOTHING
    return [Fault(f"{PLAYER} was dealt {plural(count, 'tile')}, not {share}", share, count)]


@clause("ziggurat.turn", "Play passes from the first player to the left, one domino a turn, and nobody passes.",
        Place, Pass, when=may_be_irregular, lesson=True)  # fmt: skip
def turn(before: s.Ziggurat, event: Place | Pass, _after: s.Ziggurat, _evidence: object) -> Faults:
    if type(event) is Pass:
        return [Fault("{player} passes, but nobody may pass: every turn is one domino")]
    rules, due = before.rules, before.turn.seat
    if due is None or before.turn.allows(rules.seat[event.player]):
        return NOTHING
    return [Fault("It was {expected}'s turn, not {player}'s", rules.players[due], event.player)]


held = shared_clauses.held((Place,), unless=lambda before, event: event.tile.bit & before.aside)


# ── The base ───────────────────────────────────────────────────────────────────────────────────────────────


grid = Clause[s.Ziggurat](
    "ziggurat.base.grid",
    "Tiles line up with the squares. A record can show nothing else; a table that did otherwise writes a note.",
)


# Once the base is finished and built on, `level_closed` says of a domino there that it comes too late.
def extends_base(before: s.Ziggurat, event: Place, _after: s.Ziggurat) -> bool:
    """Whether a domino is placed on the base while it is being laid."""
    return event.level <= 1 and not s.is_closed(before, 1)


def laid_on(before: s.Ziggurat, event: Place, after: s.Ziggurat) -> tuple[int, int]:
    """The two squares of a placement; the table knows them already if the domino is known and was laid."""
    return s.squares(event) if after.lies is before.lies else after.lies[event.tile.index]


@clause("ziggurat.base.touch", "Every base domino but the first touches one that lies there.", Place,
        when=extends_base, lesson=True)  # fmt: skip
def touch(before: s.Ziggurat, event: Place, after: s.Ziggurat, _evidence: object) -> Faults:
    base, (one, other) = s.squares_on(before.levels, 1), laid_on(before, event, after)
    if not base or s.touching(before.rules, base, one, other):
        return NOTHING
    how = "touches no other domino" if before.rules.corners else "shares no edge with another domino"
    return [Fault(f"The {event.tile} on {said(one)}-{said(other)} {how}")]


@clause("ziggurat.base.window", "The base stays within one 4 × 4 window.", Place, when=extends_base, lesson=True)
def window(before: s.Ziggurat, event: Place, after: s.Ziggurat, _evidence: object) -> Faults:
    one, other = laid_on(before, event, after)
    if s.in_window(before, one, other):
        return NOTHING
    if before.rules.drawn:
        return [Fault(f"The {event.tile} on {said(one)}-{said(other)} lies outside the 4 × 4 that was marked")]
    return [Fault(f"With the {event.tile} on {said(one)}-{said(other)} the base no longer fits into 4 × 4 squares")]


@clause("ziggurat.base.no-gaps", "The base is filled without gaps: some window can still be filled after every "
        "domino.", Place, when=extends_base)  # fmt: skip
def no_gaps(before: s.Ziggurat, event: Place, after: s.Ziggurat, _evidence: object) -> Faults:
    if before.rules.cut_up or fillable(after.windows, s.squares_on(after.levels, 1)):
        return NOTHING
    one, other = s.squares(event)
    if not s.leaves_gap(before, one, other):
        return NOTHING
    return [Fault(f"With the {event.tile} on {said(one)}-{said(other)} the rest of the 4 × 4 cannot be filled")]


# ── Building ───────────────────────────────────────────────────────────────────────────────────────────────


# Above the base, a domino on the highest level with halves below it is where it should be.
def may_be_misplaced(before: s.Ziggurat, event: Place, after: s.Ziggurat) -> bool:
    """Whether a domino lies on another level than the highest that was reached, or above a free square."""
    level = event.level
    if level != before.level:
        return True
    one, other = s.squares(event) if after.lies is before.lies else after.lies[event.tile.index]
    below = before.levels.get(level - 1, s.NOTHING_LIES)
    return level > 1 and (one - LEVEL not in below or other - LEVEL not in below)


@clause("ziggurat.level.closed", "A finished level is finished: nothing is played on it any more.", Place,
        when=may_be_misplaced, lesson=True)  # fmt: skip
def level_closed(before: s.Ziggurat, event: Place, _after: s.Ziggurat, _evidence: object) -> Faults:
    if not s.is_closed(before, event.level):
        return NOTHING
    message = f"Level {event.level} is finished, and level {before.level} is being built"
    return [Fault(message, before.level, event.level)]


# It is reported once for each level begun too soon.
@clause("ziggurat.level.finish", "A new level is begun only when no play is left on the current one.", Place,
        when=may_be_misplaced, lesson=True)  # fmt: skip
def level_finish(before: s.Ziggurat, event: Place, _after: s.Ziggurat, _evidence: object) -> Faults:
    if event.level == 1 or event.level <= before.level:
        return NOTHING
    if before.finished and event.level == before.level + 1:
        return NOTHING
    for level in range(max(1, before.level), event.level):
        if s.is_open(before.levels, before.windows, before.rules.cut_up, level):
            return [Fault(f"Level {event.level} is begun too soon: {still_open(before, level)}", level, event.level)]
    return NOTHING


def still_open(state: s.Ziggurat, level: int) -> str:
    """The reason that a level is not finished, in words."""
    if level == 1:
        return "the base is not complete"
    one, other = next(s.places(state, level))
    return f"level {level} still has room, for example on {said(one)}-{said(other)}"


@clause("ziggurat.build.cover", "Above the base a domino covers two squares that are occupied on the level below.",
        Place, when=may_be_misplaced, lesson=True)  # fmt: skip
def cover(before: s.Ziggurat, event: Place, _after: s.Ziggurat, _evidence: object) -> Faults:
    if event.level == 1:
        return NOTHING
    below, (one, other) = s.squares_on(before.levels, event.level - 1), s.squares(event)
    if (one - LEVEL in below and other - LEVEL in below) or s.is_closed(before, event.level):
        return NOTHING
    where = " and ".join(said(at) for at in (one, other) if at - LEVEL not in below)
    return [Fault(f"Nothing lies below the {event.tile} on {where} of level {event.level - 1}")]


# ── Scoring ────────────────────────────────────────────────────────────────────────────────────────────────


def scored_by(before: s.Ziggurat, event: Place, after: s.Ziggurat) -> int:
    """The points that a placement scored."""
    seat = before.rules.seat[event.player]
    return after.scores[seat] - before.scores[seat]


# Points that depend on an unknown tile are as called, so they are never miscounted.
def is_miscounted(before: s.Ziggurat, event: Place, after: s.Ziggurat) -> bool:
    """Whether other points were called for a placement than it scored."""
    return event.points is not None and event.points != scored_by(before, event, after)


@clause("ziggurat.base.score", "A base domino scores a point for each of its squares that equals a neighbour.", Place,
        when=is_miscounted, lesson=True)  # fmt: skip
def base_score(before: s.Ziggurat, event: Place, after: s.Ziggurat, _evidence: object) -> Faults:
    return [miscount(before, event, after, "a neighbour")] if event.level == 1 else NOTHING


@clause("ziggurat.build.score", "A domino above the base scores a point for each square that equals the one below it, "
        "times the level.", Place, when=is_miscounted, lesson=True)  # fmt: skip
def build_score(before: s.Ziggurat, event: Place, after: s.Ziggurat, _evidence: object) -> Faults:
    return [miscount(before, event, after, "the one below it")] if event.level > 1 else NOTHING


def miscount(before: s.Ziggurat, event: Place, after: s.Ziggurat, compared: str) -> Fault:
    """The fault of wrong points for a placement; `compared` is what its halves are compared with, in words."""
    points = scored_by(before, event, after)
    why = "; ".join(because for _points, because in reasons(before, event)) or f"neither half equals {compared}"
    message = f"Counted {event.points}, but {event.tile} scores {points}: {why}"
    return Fault(message, points, event.points, running="part")


def reasons(before: s.Ziggurat, event: Place) -> list[tuple[int, str]]:
    """What a placement scores, square by square, and why."""
    one, other = s.squares(event)
    tile = event.tile
    if event.level == 1:
        near, far = equals(s.squares_on(before.levels, 1), one, other, tile.first, tile.second)
        return [
            (1, f"its {pips} on {said(at)} equals the {pips} on {said(neighbour)}")
            for at, pips, equal in ((one, tile.first, near), (other, tile.second, far))
            for neighbour in equal[: scoring(before.rules.per_match, len(equal))]
        ]
    times, below = factor(before.rules, event.level), s.squares_on(before.levels, event.level - 1)
    return [
        (times, f"its {pips} on {said(at)} covers {a_number(pips)}, times {times}")
        for at, pips in ((one, tile.first), (other, tile.second))
        if below.get(at - LEVEL) == pips
    ]


def points(before: s.Ziggurat, event: object, after: s.Ziggurat) -> Sequence[Points]:
    """The reasons for what a placement scored."""
    if type(event) is not Place or after.placed is before.placed:
        return ()
    seat = before.rules.seat[event.player]
    id_ = "ziggurat.base.score" if event.level == 1 else "ziggurat.build.score"
    known = s.is_known(before, event.tile)
    scored, (sure, most) = scored_by(before, event, after), worth(before, event, s.squares(event), known)
    if most > sure or not known:
        return [Points(seat, scored, id_, "as called: one of the tiles is unknown")] if scored else ()
    return [Points(seat, points, id_, because) for points, because in reasons(before, event) if points]


# ── The end ────────────────────────────────────────────────────────────────────────────────────────────────


def standing(state: s.Ziggurat) -> Standing:
    """The scores so far; the winners when the game has ended."""
    return Standing(state.ended, state.scores, winners(state) if state.ended else ())


def winners(state: s.Ziggurat) -> tuple[int, ...]:
    """The seats that win if the game ends now."""
    leaders = shared_clauses.greatest(state.scores)
    if len(leaders) == 1:
        return leaders
    left = s.holding(state)
    fewest = min(left[seat] for seat in leaders)
    return tuple(seat for seat in leaders if left[seat] == fewest)


@clause("ziggurat.win", "Most points win; then fewest dominoes left in hand; then the win is shared.", Score, Result)
def win(before: s.Ziggurat, event: Score | Result, _after: s.Ziggurat, _evidence: object) -> Faults:
    players = before.rules.players
    if isinstance(event, Score):
        return shared_clauses.compare_points(event, totals(before, event), "total")
    if not before.ended:
        return NOTHING
    won = [players[seat] for seat in winners(before)]
    if list(event.winners) == won or could_win(before, event.winners):
        return NOTHING
    why = f"{max(before.scores)} is the highest score"
    if len(shared_clauses.greatest(before.scores)) > 1:
        why += ", and in a tie the fewest dominoes left win"
    return shared_clauses.compare_winners(event, won, why)


def totals(state: s.Ziggurat, event: Score) -> dict[str, int]:
    """The totals by player; those that depend on an unknown tile are as called."""
    points = shared_clauses.by_player(state.rules.players, state.scores)
    for player, unsure in zip(state.rules.players, state.unsure, strict=True):
        said_points = event.points.get(player)
        if unsure and said_points is not None and points[player] <= said_points <= points[player] + unsure:
            points[player] = said_points
    return points


def could_win(state: s.Ziggurat, claimed: Sequence[str]) -> bool:
    """Whether these players may have won, with any value of the unknown points."""
    if not any(state.unsure) or not claimed:
        return False
    seats, left = {state.rules.seat[player] for player in claimed}, s.holding(state)
    least = dict(enumerate(state.scores))
    most = {seat: points + state.unsure[seat] for seat, points in least.items()}
    fewest = max(left[seat] for seat in seats)
    others = [seat for seat in least if seat not in seats]
    return fewest == min(left[seat] for seat in seats) and any(
        all(least[seat] <= points <= most[seat] for seat in seats)
        and all(least[seat] < points or (least[seat] == points and left[seat] > fewest) for seat in others)
        for points in range(max(least.values()), min(most[seat] for seat in seats) + 1)
    )


after_end = shared_clauses.after_end(id_="ziggurat.end")


@clause("ziggurat.end", "The game ends when every dealt domino has been played, or when a new level would have "
        "exactly one valid place; no result comes before that.", Result)  # fmt: skip
def end(before: s.Ziggurat, event: Result, _after: s.Ziggurat, _evidence: object) -> Faults:
    if before.ended:
        return NOTHING
    unplayed = plural(sum(s.holding(before)), "tile")
    message = f"A result was called, but the game goes on: the players still hold {unplayed}"
    return [Fault(message, "no result yet", list(event.winners))]


CLAUSES = in_order(globals())


# ── What the whole record proves about the hands ───────────────────────────────────────────────────────


def holdings(steps: Sequence[Step]) -> dict[int, Evidence]:
    """By seq of each placement, what the whole record proves about the player's hand."""
    last: s.Ziggurat = steps[-1].after
    rules, dealt = last.rules, last.dealt
    if all_dealt(steps, rules.seat, dealt):
        return {}
    hands = [Hand(seat, 0, last.sizes[seat], tiles, acts=[]) for seat, tiles in enumerate(dealt)]
    for step in steps:
        event, before, after = step.event, step.before, step.after
        # A domino without a place was not played, and neither was one whose act is written twice.
        if type(event) is Place and after.placed is not before.placed:
            known = after.lies is not before.lies
            hands[rules.seat[event.player]].play(step.seq, event.tile.bit if known else 0)
    # The remaining tiles are outside, known or not.
    over = size(rules.largest) - rules.share * len(hands) - last.aside.bit_count()
    group = Shared(hands, full(rules.largest), last.aside, max(0, over))
    return {seq: evidence for (seq, _seat), evidence in prove([group]).items()}


def all_dealt(steps: Sequence[Step], seats: Mapping[str, int], dealt: Sequence[int]) -> bool:
    """Whether every domino was laid by a player to whom it was dealt, so that nothing is left to prove."""
    for step in steps:
        event = step.event
        if type(event) is Place:
            unknown = step.after.lies is step.before.lies
            if unknown or not event.tile.bit & dealt[seats[event.player]]:
                return False
    return True
