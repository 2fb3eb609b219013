"""*You are the referee*: five moves of a game, and one breaks a rule.  Each day has its own puzzle, and each game some.

A puzzle is made from a simulated game without a breach.  One move goes wrong, and the audit finds exactly that, also
when it does not know what is in the hands.  Every other move is made by the only player who may act: after a move out
of turn an audit accepts two players, but a person would see a second mistake.
"""

from collections.abc import Sequence
from datetime import date
from itertools import islice, pairwise
from random import Random
from typing import Any, NamedTuple

from ledger.audit.auditor import audit
from ledger.games import catalog
from ledger.play.simulate import events_from, may_break, open_event, play, slips, states_of
from ledger.record.errors import NotForNow
from ledger.record.events import ACTS, AnyEvent, Aside, Correctable, Deal, Draw, Layout, Lift, Over, Score, actor
from ledger.record.record import Record
from ledger.record.words import is_day
from ledger.rules.game import GRAVE, Clause, Finding, Game

FIVE = 5
"""The moves to choose from."""
BEFORE = 3
"""The fewest moves before them: the table has something on it."""
LONGEST = 150
"""The most events of a game before its slip."""
PLACES, GAMES = 12, 60
"""How many places of a game are tried, and how many games."""
SHUFFLED = (Deal, Draw, Layout, Over, Aside)
"""What nobody decides: it comes with the act after it."""

UNFIT = (Deal, Layout, Aside, Over, Lift, Score)
"""Not among the five moves: a hand begins or ends, or somebody cheats and says so."""


class Puzzle(NamedTuple):
    """A record and five of its moves: the seqs of each, from the first event to the last.

    The move at index `answer` has the only `finding` of the audit.
    """

    name: str
    record: Record
    moves: tuple[range, ...]
    answer: int
    finding: Finding


def puzzle(name: str) -> Puzzle:
    """The puzzle of a day or of a game, `2026-11-28` or `ziggurat-2`, the same on every machine.

    Every day a rule set takes its turn, and in it a lesson; the puzzles of a game are on one lesson after another.
    Raises NotForNow if none came up.
    """
    games = [game for game in map(catalog.find, catalog.built_in()) if lessons(game)]
    if is_day(name):
        turn, place = divmod(date.fromisoformat(name).toordinal(), len(games))
        game = games[place]
    else:
        title, _, count = name.rpartition("-")
        game, turn = next(game for game in games if game.name == title), int(count)
    kinds = lessons(game)
    for number in range(GAMES):
        random = Random(f"referee/{name}/{number}")  # noqa: S311  a puzzle that anybody can repeat
        # A game has no place for some slips; after a few games the next kind has its chance.
        made = _puzzle(name, game, kinds[(turn + number // 4) % len(kinds)], random)
        if made is not None:
            return made
    raise NotForNow(f"no puzzle came up for {name}")


def lessons(game: Game[Any]) -> list[Clause[Any]]:
    """The clauses that puzzles of this game ask about."""
    return [clause for clause in game.clauses if clause.lesson]


def _puzzle(name: str, game: Game[Any], clause: Clause[Any], random: Random) -> Puzzle | None:
    """A puzzle about this clause from one game, or None if no place of it has one."""
    open_ = open_event(game, {})
    clean = list(islice(play(game, open_, random), LONGEST))
    states = states_of(game, clean)
    # What goes wrong takes the place of an event of its kind, or of another act.
    kinds = tuple(kind for kind in clause.on if kind not in SHUFFLED)
    places = [place for place in range(2, len(clean)) if isinstance(clean[place], kinds)]
    random.shuffle(places)
    for place in places[:PLACES]:
        state = states[place - 1]
        for slip in slips(game, clean, place, state, random):
            if type(slip) is type(clean[place]) and may_break(game, clause, state, slip):
                made = _with_slip(name, game, [*clean[:place], slip], random.randrange(FIVE), random)
                if made is not None and made.finding.clause == clause.id:
                    return made
                break
    return None


def _with_slip(name: str, game: Game[Any], events: list[Correctable], earlier: int, random: Random) -> Puzzle | None:
    """The puzzle whose last event so far is the slip, with `earlier` of the five moves before it, or None."""
    state = states_of(game, events)[-1]
    slip, begun = events[-1], len(moves(events))
    first, end = begun - 1 - earlier, begun - 1 - earlier + FIVE
    if first < BEFORE:
        return None
    # One move more than wanted, so that the last has all that was said after it.
    for event, _state in events_from(game, state, random, LONGEST):
        if len(moves(events)) > end:
            break
        events.append(event)
    window = moves(events)[first:end]
    # What was dealt before the first of them is there already.
    while window and isinstance(events[window[0].start], UNFIT[:4]):
        window[0] = window[0][1:]
    if len(window) < FIVE or any(isinstance(events[place], UNFIT) for move in window for place in move):
        return None
    record = Record(tuple(events[: window[-1].stop]))
    findings = audit(game, record).findings
    if len(findings) != 1 or record.events[findings[0].seq] is not slip:
        return None
    hidden = Record(tuple(event for event in record.events if not isinstance(event, Deal)))
    if _breaches(game, record) != _breaches(game, hidden):
        return None
    answer = next(n for n, move in enumerate(window) if findings[0].seq in move)
    others = [seq for move in (*window[:answer], *window[answer + 1 :]) for seq in move]
    if not all(in_turn(game, events[: seq + 1]) for seq in others):
        return None
    return Puzzle(name, record, tuple(window), answer, findings[0])


def in_turn(game: Game[Any], events: Sequence[Correctable]) -> bool:
    """Whether nobody but the player of the last act was to act; true for a claim, and where nobody has a turn."""
    *before, event = events
    if not isinstance(event, ACTS) or isinstance(event, SHUFFLED):
        return True
    state = states_of(game, before)[-1]
    players = game.opening(Record((before[0],)).opening).players
    due = [player for player, seat in zip(players, game.scene(state).seats, strict=False) if seat.turn]
    return due in ([], [actor(event)])


def _breaches(game: Game[Any], record: Record) -> list[tuple[str, AnyEvent]]:
    findings = audit(game, record).findings
    return [(finding.clause, record.events[finding.seq]) for finding in findings if finding.verdict in GRAVE]


def moves(events: Sequence[AnyEvent]) -> list[range]:
    """The moves of a game: each act with what was dealt before it, and with what was said after it."""
    acts = [place for place, event in enumerate(events) if isinstance(event, ACTS) and not isinstance(event, SHUFFLED)]
    begins = []
    for place in acts:
        begin = place
        while isinstance(events[begin - 1], SHUFFLED):
            begin -= 1
        begins.append(begin)
    return [range(*bounds) for bounds in pairwise([*begins, len(events)])]
