"""The clauses of Domino Ziggurat, and its titles."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ledger.games.domino_ziggurat import state as s
from ledger.games.domino_ziggurat.tiers import GROUND, SQUARES, TIERS, on_foundation, squares, supported
from ledger.record.events import Cheats, Draw, Lift, Place, Result, Score
from ledger.record.grid import LEVEL, said
from ledger.record.sentences import PLAYER, literal
from ledger.record.tiles import names
from ledger.record.words import a_number, plural
from ledger.rules import shared_clauses
from ledger.rules.game import Fault, Points, Standing, Step, clause, in_order
from ledger.rules.shared_clauses import NOTHING, Faults, is_past_end

TITLES = (
    "Legendary Architect of the Divine",
    "Master Architect",
    "Reputable Architect",
    "Modest Architect",
    "Feeble Architect",
    "Disgraceful Blundering Saboteur",
)
"""The title by the number of cheats; the last is for that many or more."""


def lies_now(before: s.DominoZiggurat, after: s.DominoZiggurat) -> bool:
    """Whether a placement put its domino on the table; an impossible one did not."""
    return after.lies is not before.lies


def is_off_its_tier(before: s.DominoZiggurat, event: Place, after: s.DominoZiggurat) -> bool:
    """Whether a domino was laid with a half outside its tier, and perhaps outside the foundation."""
    one, other = squares(event)
    return (one not in SQUARES or other not in SQUARES) and lies_now(before, after)


# ── What is impossible at any table ────────────────────────────────────────────────────────────────────────


# A domino that was laid is of the set and found its squares free; one that was lifted was there, with nothing on it.
def may_be_impossible(before: s.DominoZiggurat, _event: Draw | Place | Lift, after: s.DominoZiggurat) -> bool:
    """Whether as many known dominoes lie on the ziggurat as before: one more was laid, one fewer was lifted."""
    return len(after.lies) == len(before.lies)


# An act that is written twice in a row is one act.
@clause("tiles.once", "No tile is in two places.", Draw, Place, Lift, verdict="impossible", when=may_be_impossible)
def once(
    before: s.DominoZiggurat, event: Draw | Place | Lift, after: s.DominoZiggurat, _evidence: object
) -> Sequence[Fault]:
    if after is before:
        done = {Draw: "drawn", Place: "laid", Lift: "lifted"}[type(event)]
        return [Fault(f"The {event.tile} was recorded twice in a row as {done}", claimed=str(event.tile))]
    if type(event) is Lift or not event.tile.bit & before.seen or (type(event) is Draw and s.explains(before, event)):
        return NOTHING
    if event.tile.index in before.lies:
        place = "lies on the ziggurat already"
    elif type(event) is Draw and event.tile.bit & before.hand:
        place = "lies in the open hand already"
    elif type(event) is Draw and event.tile.bit & before.lifted:
        place = "was drawn already, and is now lifted"
    else:
        return NOTHING
    return [Fault(f"The {event.tile} {place}", claimed=str(event.tile))]


in_set = shared_clauses.in_set((Draw, Place, Lift), lambda _state: s.LARGEST, may_be_impossible)


# All its tiles are on it, so none can be drawn or laid.
@clause("record.after-end", "Nothing is played after the game has ended.", Draw, Place, Lift, when=is_past_end)
def after_end(
    before: s.DominoZiggurat, event: Draw | Place | Lift, _after: s.DominoZiggurat, _evidence: object
) -> Sequence[Fault]:
    if before.past:
        return NOTHING
    if type(event) is Lift:
        return [Fault(f"The ziggurat was already finished when the {event.tile} was lifted")]
    done = "drawn" if type(event) is Draw else "laid"
    message = f"The ziggurat was already finished, with all {s.WHOLE} tiles on it, when the {event.tile} was {done}"
    return [Fault(message, verdict="impossible")]


@clause("domino-ziggurat.occupied", "A place holds one half.", Place, verdict="impossible", when=may_be_impossible)
def occupied(before: s.DominoZiggurat, event: Place, after: s.DominoZiggurat, _evidence: object) -> Faults:
    if lies_now(before, after):
        return NOTHING
    used = [at for at in squares(event) if at in before.halves]
    room = f"No room for the {event.tile} on tier {event.level}"
    return [Fault(f"{room}: {said(at)} is taken", claimed=said(at)) for at in used[:1]]


@clause(
    "domino-ziggurat.lift",
    "A placed domino is moved only by cheating, and what rests on it is lifted first.",
    Lift,
    verdict="impossible",
    when=may_be_impossible,
)
def lift(before: s.DominoZiggurat, event: Lift, after: s.DominoZiggurat, _evidence: object) -> Faults:
    if after.lies is not before.lies or s.unwritten(before, event):
        return NOTHING
    if event.tile.index in before.lies:
        return [Fault(f"Something rests on the {event.tile} and has to be lifted first")]
    return [Fault(f"The {event.tile} does not lie on the ziggurat")]


# ── The hand ───────────────────────────────────────────────────────────────────────────────────────────────


@clause(
    "domino-ziggurat.lift",
    "Where the table plays so, lifted dominoes go back before the next one from the hand.",
    Place,
)
def put_back(before: s.DominoZiggurat, event: Place, _after: s.DominoZiggurat, _evidence: object) -> Faults:
    if not before.rules.back_at_once or event.tile.bit & s.playable(before.rules, event.tile.bit, before.lifted):
        return NOTHING
    due = before.lifted & ~before.overdue
    # An unknown domino may be the lifted one.
    if not due or before.lifted.bit_count() <= len(before.unknown):
        return NOTHING
    message = f"The lifted {names(due)} must go back before the {event.tile} is played"
    return [Fault(message, names(due), str(event.tile))]


@clause(
    "domino-ziggurat.hand",
    "Three tiles lie in the open hand; one of them is played, and the hand may be filled up, never beyond three.",
    Draw,
    Place,
    lesson=True,
)
def hand(before: s.DominoZiggurat, event: Draw | Place, _after: s.DominoZiggurat, evidence: NoDraws | None) -> Faults:
    if type(event) is Draw:
        return _drawn(before)
    if event.tile.bit & (before.hand | before.lifted):
        return NOTHING
    return _not_in_hand(before, event, evidence)  # type: ignore[arg-type]  # it is no draw


def _drawn(before: s.DominoZiggurat) -> Faults:
    # A hand that was too large before is not reported again.
    if before.held >= before.most:
        return [Fault(f"{PLAYER} draws one tile too many: the open hand has {s.HAND}", s.HAND, before.held + 1)]
    if before.rules.refill_at_once and not before.refilling:
        return [Fault("{player} draws too late: the hand is refilled right after a domino from it is played")]
    return NOTHING


def _not_in_hand(before: s.DominoZiggurat, event: Place, evidence: NoDraws | None) -> Faults:
    if evidence is not None:
        if not evidence.played:
            return NOTHING
        tiles = "the tile" if evidence.played == 1 else f"the {evidence.played} tiles"
        message = f"No draws are recorded, so nothing shows that {tiles} played lay in the open hand"
        return [Fault(message, verdict="unproven")]
    if before.unread or s.short(before):
        return NOTHING
    lying = names(before.hand)
    message = f"The {event.tile} is not in the open hand, which holds {lying or 'nothing'}"
    return [Fault(message, lying, str(event.tile))]


@clause("domino-ziggurat.hand.first", "Three tiles are drawn before the first domino is played.", Place)
def hand_first(before: s.DominoZiggurat, event: Place, _after: s.DominoZiggurat, evidence: NoDraws | None) -> Faults:
    if before.halves or evidence is not None or not s.short(before):
        return NOTHING
    drawn = s.HAND - s.short(before)
    tiles = {0: "no tile was", 1: "only 1 tile was"}.get(drawn, f"only {drawn} tiles were")
    return [Fault(f"Before the first domino, the {event.tile}, {tiles} drawn, not {s.HAND}", s.HAND, drawn)]


class NoDraws(Struct, frozen=True, gc=False):
    """The evidence about a placement in a record without draws: nothing is known about the hand.

    `played` is 0 except at the first placement: there it is the number of tiles that came from the hand.
    """

    played: int = 0


def holdings(steps: Sequence[Step]) -> dict[int, NoDraws]:
    """Evidence for each domino from the hand, by seq, if the record has no draw; else nothing."""
    seqs, first, played = [], None, 0
    for step in steps:
        seq, event, before, after = step.seq, step.event, step.before, step.after
        if type(event) is Draw and not before.ended:
            return {}
        if type(event) is Place and not before.ended and not event.tile.bit & before.lifted:
            seqs.append(seq)
            if lies_now(before, after):
                first = seq if first is None else first
                played += 1
    evidence = dict.fromkeys(seqs, NoDraws())
    return evidence if first is None else evidence | {first: NoDraws(played)}


# ── Placing ────────────────────────────────────────────────────────────────────────────────────────────────


def said_of(event: Place) -> str:
    """The two squares of a placement, as messages write them."""
    return "-".join(map(said, squares(event)))


@clause("domino-ziggurat.foundation", "No half lies outside the foundation.", Place, when=is_off_its_tier, lesson=True)
def foundation(_before: s.DominoZiggurat, event: Place, _after: s.DominoZiggurat, _evidence: object) -> Faults:
    outside = [at for at in squares(event) if not on_foundation(at)]
    where = f"The {event.tile} on {said_of(event)} lies"
    return [Fault(f"{where} outside the foundation", claimed=said(at)) for at in outside[:1]]


@clause("domino-ziggurat.tier", "There are three tiers, each a centred square and no larger.", Place,
        when=is_off_its_tier)  # fmt: skip
def tier(_before: s.DominoZiggurat, event: Place, _after: s.DominoZiggurat, _evidence: object) -> Faults:
    if event.level not in TIERS:
        return [Fault(f"There is no tier {event.level}, only 1 to 3", "1 to 3", event.level)]
    outside = [at for at in squares(event) if on_foundation(at) and at not in SQUARES]
    where = f"The {event.tile} on {said_of(event)} lies"
    return [Fault(f"{where} outside tier {event.level}", claimed=said(at)) for at in outside[:1]]


def is_above(before: s.DominoZiggurat, event: Place, after: s.DominoZiggurat) -> bool:
    """Whether a domino was laid above the first tier."""
    return event.level != 1 and lies_now(before, after)


@clause("domino-ziggurat.support", "Each half rests on the foundation or on a half directly below.", Place,
        when=is_above, lesson=True)  # fmt: skip
def support(before: s.DominoZiggurat, event: Place, _after: s.DominoZiggurat, _evidence: object) -> Faults:
    one, other = squares(event)
    if event.level not in TIERS or (supported(before.halves, one) and supported(before.halves, other)):
        return NOTHING
    floating = [at for at in squares(event) if not supported(before.halves, at)]
    return [Fault(f"Nothing lies below the {event.tile} on {said(at)} of tier {event.level}") for at in floating[:1]]


@clause("domino-ziggurat.greater", "A half is strictly greater than the half directly below it.", Place, when=is_above,
        lesson=True)  # fmt: skip
def strictly_greater(before: s.DominoZiggurat, event: Place, _after: s.DominoZiggurat, _evidence: object) -> Faults:
    for at, half in zip(squares(event), (event.tile.first, event.tile.second), strict=True):
        below = before.halves.get(at - LEVEL, GROUND)
        if half <= below:
            message = f"The {half} of the {event.tile} covers {a_number(below)} on {said(at)}, but it must be greater"
            return [Fault(message, f"more than {below}", half)]
    return NOTHING


@clause("domino-ziggurat.match", "At least one half lies beside an equal one, seen from above.", Place, lesson=True)
def matching(before: s.DominoZiggurat, event: Place, after: s.DominoZiggurat, _evidence: object) -> Faults:
    if not lies_now(before, after) or not s.needs_match(before.rules, before.halves, event.tile.bit & before.lifted):
        return NOTHING
    if s.matched(before, event):
        return NOTHING
    return [Fault(f"Neither half of the {event.tile} on {said_of(event)} lies beside an equal one")]


# ── Cheating ───────────────────────────────────────────────────────────────────────────────────────────────


# One that is not put back yet already counts.
@clause("domino-ziggurat.cheats", "Every domino lifted and put back is one cheat.", Cheats, Score)
def cheats(before: s.DominoZiggurat, event: Cheats | Score, _after: s.DominoZiggurat, _evidence: object) -> Faults:
    players, count = before.rules.players, before.cheats
    if isinstance(event, Score):
        return shared_clauses.compare_points(event, dict.fromkeys(players, count), "cheats")
    if event.count == count:
        return NOTHING
    lifted = "1 domino was" if count == 1 else f"{count} dominoes were"
    message = f"Counted {plural(event.count, 'cheat')}, but {lifted} lifted"
    # For a single player the cheats and the score are one total.
    player = players[0] if len(players) == 1 else None
    return [Fault(message, count, event.count, player=player, running="total")]


def points(before: s.DominoZiggurat, event: object, after: s.DominoZiggurat) -> Sequence[Points]:
    """A cheat counts for every player."""
    count = after.cheats - before.cheats
    if not count or not isinstance(event, Lift | Place):
        return ()
    because = f"the {event.tile} was lifted" if type(event) is Lift else "a domino had been lifted"
    return [Points(seat, count, "domino-ziggurat.cheats", because) for seat in range(len(after.rules.players))]


# ── Finishing ──────────────────────────────────────────────────────────────────────────────────────────────


def title_of(state: s.DominoZiggurat) -> str | None:
    """The title that a finished ziggurat earns; None for an unfinished one."""
    return TITLES[min(state.cheats, len(TITLES) - 1)] if state.ended else None


def standing(state: s.DominoZiggurat) -> Standing:
    """The cheats as everybody's score; all players win when the ziggurat is finished."""
    seats = range(len(state.rules.players))
    return Standing(
        state.ended, tuple(state.cheats for _ in seats), tuple(seats) if state.ended else (), title_of(state)
    )


# Then all players have won.
@clause(
    "domino-ziggurat.finish",
    "The ziggurat is finished when all 28 tiles are placed, 18, 8 and 2 on the tiers, and none is lifted.",
    Result,
)
def finish(before: s.DominoZiggurat, event: Result, _after: s.DominoZiggurat, _evidence: object) -> Faults:
    if before.ended:
        return shared_clauses.compare_winners(event, before.rules.players, "all who build it win together")
    lying, tiers = len(before.lies) + len(before.unknown), s.on_tiers(before.lies, before.unknown)
    so_far = f"only {lying} of 28 tiles are placed, {' / '.join(map(str, tiers))} instead of 18 / 8 / 2"
    if lying == s.WHOLE:
        so_far = f"the tiles lie {' / '.join(map(str, tiers))} instead of 18 / 8 / 2, or one is lifted"
    return [Fault(f"A result was called, but {so_far}", "no result yet", list(event.winners))]


# An unfinished ziggurat has no title; `finish` already reports that.
@clause("domino-ziggurat.title", "The number of cheats earns the title.", Result)
def title(before: s.DominoZiggurat, event: Result, _after: s.DominoZiggurat, _evidence: object) -> Faults:
    expected = title_of(before)
    if expected is None or event.title is None or event.title == expected:
        return NOTHING
    earned = f"{plural(before.cheats, 'cheat')} {'earns' if before.cheats == 1 else 'earn'} the title {expected}"
    return [Fault(f"Called {literal(event.title)}, but {earned}", expected, event.title)]


CLAUSES = in_order(globals())
