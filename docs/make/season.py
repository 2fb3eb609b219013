"""Makes the season of the made-up club in `ledger/examples/`: `make season`.

Each game is simulated with careful players, the same on every machine.  Then it gets the times of its moves, remarks,
and what the season is to show: a mistake, a correction, a hand that nobody wrote down, confirmations.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from careful_players import careful
from msgspec.structs import replace

from ledger.examples.season import CARDS, SEASON, TONIGHT
from ledger.games.catalog import find
from ledger.keep.recorder import players_for
from ledger.keep.score_cards import ScoreCard
from ledger.play.simulate import Pick, simulate
from ledger.record.chain import record_digest
from ledger.record.codec import decode, encode, open_bytes
from ledger.record.events import (
    MOVES,
    Amend,
    AnyEvent,
    Aside,
    Bid,
    Close,
    Confirm,
    Correctable,
    Deal,
    Draw,
    Layout,
    Lift,
    Note,
    Over,
    Pass,
    Place,
    Play,
    Rank,
    Stack,
)
from ledger.record.record import Record
from ledger.record.tiles import TILES

CLUB = "Harbour Street (simulated)"
RECORDER = "a simulation"
LEAGUE, CUP = "Autumn League", "Harbour Street Cup"
PEOPLE = {
    "r": "Renée Bélanger",
    "j": "Jörg Müller",
    "l": "Łucja Nowak",
    "x": "Ximena Núñez",
    "e": "Ελένη Παππά",
    "d": "Дмитро Коваль",
    "y": "ليلى حداد",
    "n": "נועם לוי",
    "c": "陈静怡",
    "s": "佐藤 健",
    "m": "मीरा जोशी",
    "t": "Tom Okafor",
}
FIRST_EVENING = datetime(2026, 10, 8, 17, 30, tzinfo=UTC)
PAUSE = timedelta(minutes=6)
"""Between two games of a table."""
SECONDS: dict[type[AnyEvent], float] = {
    Deal: 25, Layout: 20, Draw: 6, Bid: 20, Rank: 15, Over: 5, Place: 30, Lift: 8, Stack: 22, Play: 11, Pass: 8,
    Close: 20, Amend: 40, Note: 15,
}  # fmt: skip
"""How long an event takes, on average.  All others are said at once."""
SAID = 3.0


class Planned(NamedTuple):
    """A game of the season: who plays it (letters of `PEOPLE`), what it belongs to, and what is done with its record.

    `remark` is one on the last move, or on the move that many before it.  `pick` changes how the players choose,
    `finish` changes the record when it has been played.
    """

    game: str
    people: str
    event: str | None = None
    options: dict[str, Any] = {}
    edition: str | None = None
    seed: int | None = None
    remark: tuple[int, str] | None = None
    pick: Callable[[Pick], Pick] | None = None
    finish: Callable[[Record], Record] | None = None


# ── What goes wrong ────────────────────────────────────────────────────────────────────────────────────────

Slip = Callable[[Any, Correctable], Correctable | None]
"""(state, act) → what happens by mistake instead of this act; None if this act can go wrong in no such way."""


def once(slip: Slip, number: int) -> Callable[[Pick], Pick]:
    """The same players, who from their choice of that number on make the first such slip, and no other."""

    def changed(pick: Pick) -> Pick:
        made = list[Correctable]()

        def choose(state: Any, choices: Sequence[Correctable], random: Random, count: int) -> Correctable:
            act = pick(state, choices, random, count)
            wrong = slip(state, act) if count >= number and not made else None
            if wrong is not None:
                made.append(wrong)
            return wrong or act

        return choose

    return changed


def level_forgotten(state: Any, act: Correctable) -> Correctable | None:
    """Two matches on the third level, or higher, counted as if they were a level lower."""
    if not isinstance(act, Place) or act.level < 3:
        return None
    seat = state.rules.seat[act.player]
    gained = find("ziggurat").evolve(state, act).scores[seat] - state.scores[seat]
    return replace(act, points=gained - 2) if gained == 2 * act.level else None


def next_stack(state: Any, act: Correctable) -> Correctable | None:
    """A tile on the stack beside the one that was meant, whose top has more pips."""
    if not isinstance(act, Stack) or act.tile.double or act.stack >= len(state.stacks):
        return None
    top = TILES[state.stacks[act.stack][-1].index]
    return replace(act, stack=act.stack + 1) if not top.double and top.pips == act.tile.pips + 2 else None


def no_higher(state: Any, act: Correctable) -> Correctable | None:
    """A bid that only equals the one before."""
    return replace(act, bid=state.hand.highest) if isinstance(act, Bid) and state.hand.highest > 0 else None


# ── What is done with a record ─────────────────────────────────────────────────────────────────────────────


def misread(record: Record) -> Record:
    """The record with points that were first entered too high, and the correction two moves later."""
    places = [(seq, event) for seq, event in enumerate(record.events) if isinstance(event, Place)]
    seq, right = places[len(places) // 2]
    wrong = replace(right, points=(right.points or 0) + 1)
    why = "We counted the same match twice; both of us looked again"
    after = places[len(places) // 2 + 2][0] + 1
    events = [*record.events[:seq], wrong, *record.events[seq + 1 :]]
    return Record((*events[:after], Amend(seq, right, why), *events[after:]))


def unwritten(record: Record) -> Record:
    """The record without what the first player had left in the last hand: only the tiles played from it are known."""
    player = record.opening.players[0].id
    last = max(seq for seq, event in enumerate(record.events) if isinstance(event, Deal) and event.player == player)
    known = {event.tile for event in record.events[last:] if isinstance(event, Stack) and event.player == player}
    events = list[AnyEvent](record.events[:last])
    for event in record.events[last:]:
        if isinstance(event, Deal) and event.player == player:
            events.append(replace(event, tiles=tuple(tile for tile in event.tiles if tile in known), partial=True))
        elif not (isinstance(event, Aside) and event.player == player):
            events.append(event)
    return Record(tuple(events))


def agreed(record: Record) -> Record:
    """The record with the consent of all its players; `timed` says to what they consent."""
    return Record((*record.events, *(Confirm(player.id, "later") for player in record.opening.players)))


# ── The season ─────────────────────────────────────────────────────────────────────────────────────────────


def league(people: str, **more: Any) -> Planned:
    """A game of the league: Ziggurat for two."""
    return Planned("ziggurat", people, LEAGUE, **more)


def cup(people: str, **more: Any) -> Planned:
    """A game of the cup: Zigzag over three hands, or to a target."""
    options = more.pop("options", {})
    return Planned("zigzag", people, CUP, options if "target" in options else {"hands": 3} | options, **more)


NINE, TWELVE, GAPS = {"options": {"set": 9}}, {"options": {"set": 12}}, {"options": {"cut_up": True}}
EVENINGS: list[list[list[Planned]]] = [
    [
        [league("ry"), Planned("domino-ziggurat", "n", edition="2", seed=8)],
        [league("jt"), league("ec", remark=(5, "Two matches at once, and the lead"))],
        [cup("lxd", remark=(3, "The first cup game of the season"))],
    ],
    [
        [league("rt", remark=(10, "Tom thought about this one for a long time")), league("je", finish=misread)],
        [league("yc"), Planned("build-up", "xl")],
        [cup("nsm", options={"scoring": "points"})],
    ],
    [
        [league("rc", **NINE), cup("lns", options={"set": 6, "over_tile": "open"})],
        [league("te", **NINE), Planned("domino-ziggurat", "m", edition="1.1", seed=101)],
        [
            league(
                "yj",
                pick=once(level_forgotten, 20),
                remark=(0, "Level 3 and two matches: we must have counted 2 for each"),
                **NINE,
            )
        ],
    ],
    [
        [league("re", **TWELVE)],
        [
            league("cj", **TWELVE),
            Planned(
                "build-up",
                "nsl",
                pick=once(next_stack, 30),
                remark=(0, "Łucja meant the stack beside it, and nobody noticed"),
            ),
        ],
        [league("ty", **TWELVE), cup("xdm", options={"split_penalty": True, "target": 40})],
    ],
    [
        [league("rj", **GAPS), Planned("build-up", "dsl", options={"later_start": "winner"})],
        [league("ey", **GAPS), league("ct", **GAPS)],
        [
            cup(
                "xnm",
                options={"set": 7},
                pick=once(no_higher, 0),
                remark=(0, "The room was loud: मीरा heard 9, and it was 10 already"),
            )
        ],
    ],
    [
        [
            Planned("ziggurat", "rtlm", remark=(0, "Four is more fun than two")),
            Planned("domino-ziggurat", "t", edition="1.1", seed=5),
        ],
        [Planned("build-up", "jecy", options={"tile_on_double": "equal-or-more"})],
        [
            Planned("build-up", "xd", options={"hands": (6, 6, 4)}, seed=235, finish=unwritten),
            Planned("domino-ziggurat", "ns", edition="2", seed=13),
        ],
    ],
    [
        [league("rc", finish=agreed, **TWELVE), Planned("domino-ziggurat", "rc", edition="2", seed=124)],
        [cup("lnm", options={"set": 9, "ranking": True}, remark=(0, "The last hand of the cup"))],
        [Planned("build-up", "dsxt"), Planned("ziggurat", "xesd", options={"set": 9})],
        [Planned("build-up", "jey")],
    ],
]
"""Seven evenings, with the tables of each and the games that each table plays one after the other."""
TABLE = [
    Planned("ziggurat", "lt", options={"set": 9}),
    Planned("build-up", "xsm"),
    Planned("zigzag", "ecd", options={"hands": 3}),
]
"""Games that somebody can watch while they are played."""


def played(plan: Planned, number: int) -> Record:
    """The game as it was played, without times.  Its number is its seed, unless it has one."""
    game = find(plan.game)
    pick = careful(game)
    record = simulate(
        game,
        number if plan.seed is None else plan.seed,
        plan.options,
        players=len(plan.people),
        edition=plan.edition,
        pick=plan.pick(pick) if plan.pick else pick,
    )
    record = seated(record, [PEOPLE[letter] for letter in plan.people])
    return plan.finish(record) if plan.finish else record


def seated(record: Record, names: Sequence[str]) -> Record:
    """The same game, played by these people."""
    text = encode(record).decode()
    players = players_for(names)
    for simulated, player in zip(record.opening.players, players, strict=True):
        text = text.replace(f'"{simulated.id}"', f'"{player.id}"')
    opening, *events = decode(text).events
    return Record((replace(opening, players=players), *events))


def remarked(record: Record, remark: tuple[int, str] | None) -> Record:
    """The record with a remark on one of its last moves."""
    if remark is None:
        return record
    before, text = remark
    moves = [seq for seq, event in enumerate(record.events) if type(event) in MOVES]
    seq = moves[-1 - before]
    return Record((*record.events[: seq + 1], Note(text, seq), *record.events[seq + 1 :]))


def timed(record: Record, plan: Planned, start: datetime, random: Random) -> tuple[Record, datetime]:
    """The record as it was written down from that time on, and when its last event was."""
    time = start
    opening = replace(record.opening, played=f"{start:%Y-%m-%d}", place=CLUB, event=plan.event, recorder=RECORDER)
    events: list[AnyEvent] = [replace(opening, when=stamp(time))]
    for event in record.events[1:]:
        time += timedelta(seconds=round(SECONDS.get(type(event), SAID) * random.lognormvariate(-0.2, 0.65), 1))
        if isinstance(event, Confirm):
            event = replace(event, head=record_digest(events).hex())  # noqa: PLW2901
        events.append(replace(event, when=stamp(time)))
    return Record(tuple(events)), time


def stamp(time: datetime) -> str:
    """A time as records have it."""
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def season() -> Iterator[Record]:
    """All games, the earliest first."""
    games = list[tuple[datetime, Record]]()
    for week, tables in enumerate(EVENINGS):
        random = Random(week)  # noqa: S311  the same times on every machine
        busy = list[tuple[str, datetime, datetime]]()
        for number, plans in enumerate(tables):
            time = FIRST_EVENING + timedelta(weeks=week, minutes=2 * number)
            for plan in plans:
                start = time
                record, time = timed(remarked(played(plan, len(games)), plan.remark), plan, start, random)
                clashes = [(who, a, b) for who, a, b in busy if who in plan.people and a < time and start < b]
                if clashes:
                    raise ValueError(f"evening {week + 1}: {plan.people} at {start:%H:%M}-{time:%H:%M}, but {clashes}")
                busy += [(who, start, time) for who in plan.people]
                games.append((start, record))
                time += PAUSE
    return (record for _start, record in sorted(games, key=lambda game: game[0]))


def scored() -> Iterator[Record]:
    """The evening before the season, when only the scores were kept: one game has no rules here."""
    for game, scores in (
        ("zigzag", {"r": 104, "j": 71, "l": 88}),
        ("ziggurat", {"x": 62, "e": 55}),
        ("build-up", {"d": 37, "y": 49, "n": 49}),
        ("Mexican Train", {"c": 31, "s": 12, "m": 58, "t": 40}),
    ):
        lowest = [PEOPLE[who] for who in scores if scores[who] == min(scores.values())]
        card = ScoreCard(
            game,
            {PEOPLE[who]: points for who, points in scores.items()},
            lowest if game == "Mexican Train" else None,
            (FIRST_EVENING - timedelta(weeks=1)).date().isoformat(),
            LEAGUE,
            CLUB,
        ).record()
        opening, *claims = card.events
        yield Record((replace(opening, recorder=RECORDER), *claims))


def write(path: Path, records: Iterable[Record]) -> None:
    """Writes an archive, and says what is in it."""
    with open_bytes(path, "wb") as out:
        out.writelines(lines := [encode(record) + b"\n" for record in records])
    sys.stdout.write(f"{path.name}: {len(lines)} games, {path.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    write(SEASON, season())
    write(CARDS, scored())
    write(TONIGHT, map(played, TABLE, count(100)))
