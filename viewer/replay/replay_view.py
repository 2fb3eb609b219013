"""What the pages show of a record."""

import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from itertools import count
from threading import RLock
from typing import NamedTuple
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from ledger.audit.moments import Moment, moments, summary_line
from ledger.audit.review import Review
from ledger.audit.slip.causes import Cause
from ledger.club.result_exports import bg_stats
from ledger.play.exact_ends import is_known
from ledger.record import chain, codec
from ledger.record.errors import NotForNow
from ledger.record.events import CLAIMS, MOVES, Bid, Close, Score
from ledger.record.lazy import lazy
from ledger.record.record import Record
from ledger.record.visible import without_isolates
from ledger.record.words import first_names, listed, plural
from viewer.every_page.dates import day
from viewer.pictures.drawing import position
from viewer.pictures.film import Film, film
from viewer.pictures.look import Table
from viewer.pictures.table_svg import element
from viewer.pictures.things import Floor
from viewer.replay.chart import Chart, Plot
from viewer.replay.lead_band import Band
from viewer.replay.move_list import Rows
from viewer.replay.score_strip import Strip, contracts, strips
from viewer.replay.story import DUEL, Story

FILM, SHORTEST, LONGEST = 44.0, 0.11, 0.7
"""Seconds: the most for a film, and the least and the most for a step without a caption."""


class Pace(NamedTuple):
    """How a film plays: milliseconds for a step without a caption, how many steps at once, and the whole in seconds."""

    wait: int
    stride: int
    seconds: int


class ReplayView:
    """Everything that the pages of a record need, each part computed when first used.

    With `recorded` it shows the record before corrections.
    """

    def __init__(
        self, record_id: str, record: Record, causes: tuple[Cause, ...] = (), *, recorded: bool = False
    ) -> None:
        """`causes` explain the findings, as far as they are known.

        Raises UnknownGame, or NotARecord for an opening that the game cannot read.
        """
        self.id, self.record, self.causes, self.recorded = record_id, record, causes, recorded
        self.review = Review(record, record_id, as_recorded=recorded)
        if causes:
            self.review.explain(causes)
        self.alone = RLock()
        """A lock for its users: a part is made when it is first used."""

    @lazy
    def film(self) -> Film:
        """The drawing of all steps."""
        return film(self.review)

    @lazy
    def line(self) -> str:
        """How the game was won, in a line."""
        return summary_line(self.review)

    @lazy
    def title(self) -> str:
        """The game, who played, and when."""
        played = day(self.record.opening.played)
        return f"{self.review.title}: {listed(self.review.opening.names)}{f' · {played}' if played else ''}"

    @property
    def letters(self) -> str:
        """The whole game in letters that an address may have, as `game_in_link.js` reads them."""
        packed = zlib.compress(codec.encode(self.record), wbits=-zlib.MAX_WBITS)
        return urlsafe_b64encode(packed).decode().rstrip("=")

    @lazy
    def story(self) -> Story:
        """The steps as lines and chapters."""
        return Story(self.review)

    @property
    def version(self) -> int:
        """How many events the record has: it only grows."""
        return len(self.record.events)

    @lazy
    def moments(self) -> tuple[Moment, ...]:
        """The steps that mattered, each at the place where the page shows it."""
        return tuple(replace(moment, place=self.story.shown(moment.place)) for moment in moments(self.review))

    @lazy
    def film_pace(self) -> Pace:
        """How a film of the game plays: its captions are read, and the steps between them take the rest."""
        rest = FILM - (telling := sum(moment.seconds for moment in self.moments))
        stride = next(n for n in count(1) if self._stops(n) * SHORTEST <= rest)
        stops = self._stops(stride)
        wait = min(LONGEST, rest / max(1, stops))
        return Pace(round(1000 * wait), stride, round(telling + stops * wait))

    def _stops(self, stride: int) -> int:
        """How many steps without a caption a film shows that goes on by so many at once; it leaves out no moment."""
        told, last, place, stops = {moment.place for moment in self.moments}, len(self.review.steps) - 1, 0, 0
        while place < last:
            stops += place not in told
            far = min(last, place + stride + (place + stride in self.story.joined))
            place = next((step for step in range(place + 1, far) if step in told), far)
        return stops

    def words_of(self, moment: Moment) -> tuple[str, str]:
        """A moment in a few words: the name that they begin with, or "", and the rest."""
        for name in self.review.informal.names.values():
            if moment.words.startswith(f"{name} "):
                return without_isolates(name), moment.words.removeprefix(f"{name} ")
        return "", moment.words

    def figure(self, moment: Moment) -> str:
        """What a moment shows instead of a table: a bid, a contract made (✓) or missed (✗), a wrong claim (⚑)."""
        event = self.review.steps[moment.place].event
        if type(event) is Bid:
            return str(event.bid)
        before, after = self.strips[max(0, moment.place - 1)].goal, self.strips[moment.place]
        if before is None or after.goal is not None or not after.taken:
            return "⚑" if moment.kind == "cause" and type(event) in CLAIMS else ""
        return f"{before.bid} {'✓' if after.taken[before.seat] >= before.bid else '✗'}"

    @lazy
    def rows(self) -> Rows:
        """The list of moves."""
        return Rows(self.story, self.under)

    @lazy
    def items(self) -> list[str]:
        """The rows of the list of moves, none marked.  A page that follows a game knows them by their checksums."""
        return self.rows.items()

    @lazy
    def strips(self) -> list[Strip]:
        """The strip of scores at each step."""
        return strips(self.story)

    def place(self, ply: str | None) -> int:
        """The index of the step with the seq in a link: the last without a seq, the nearest if it is gone."""
        if ply is None or not ply.isdecimal() or len(ply) > 9:
            return len(self.review.steps) - 1
        exact = self.review.place(int(ply))
        if exact is not None:
            return self.story.shown(exact)
        return max((n for n, step in enumerate(self.review.steps) if step.seq <= int(ply)), default=0)

    def drawing(self, place: int) -> str:
        """The table at that index, as a page shows it until its script draws, and without one."""
        return element(Table(self.film.at(place), self.film.names))

    @property
    def planned(self) -> bool:
        """Whether the table has squares, so that a plan shows it, too."""
        return any(type(thing) is Floor for thing in self.film.things)

    def position(self, place: int) -> list[str]:
        """Every tile on the table at a step, in words."""
        return position(Table(self.film.at(place), self.film.names))

    def score(self, place: int) -> str:
        """The scores at a step: ``Ana 23, Ben 28``; shared cheats once."""
        scores, names = self.review.standing(place).shown, self.review.names.values()
        if self.story.shared:
            return plural(self.strips[place].scores[0], "cheat")
        return ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))

    def rank(self, place: int, seat: int) -> int:
        """The rank of a seat's score at a step, from 1."""
        scores = self.strips[place].scores
        return 1 + sum(score > scores[seat] for score in scores)

    def places(self) -> list[tuple[int | None, int]]:
        """The place of each seat at the end, None where it is not known, and the seat; the best first."""
        places = [(place, seat) for seat, place in enumerate(self.review.standing().places)]
        return sorted(places, key=lambda pair: (pair[0] or len(places) + 1, pair[1]))

    def flag(self, place: int) -> str:
        """The gravest verdict at a step, for its flag."""
        return self.story.lines[place].findings[0].verdict

    @property
    def marks(self) -> list[tuple[int, str]]:
        """The flags of the slider: at a place the verdict, ``slip`` for an act behind mistakes, or ``follows``."""
        marks = self._flags | {place: "slip" for place in self.slips if place not in self.story.flags}
        return sorted(marks.items())

    @property
    def _flags(self) -> dict[int, str]:
        """The verdict at each place with findings, ``follows`` where all of them follow from a slip elsewhere."""
        follow = self.story.consequences
        return {place: "follows" if place in follow else self.flag(place) for place in self.story.flags}

    def plots(self, place: int) -> list[Plot]:
        """A chart of the scores, and one for each hand with a contract; only the last that covers the step is shown."""
        by_hand = len(self.story.chapters) > 1 and "Hand" in self.story.chapters[0].title
        title, last = "Cheats" if self.story.shared else "Lead" if self.duel else "Score", len(self.strips) - 1
        plots = [Plot(title, f"by {'hand' if by_hand else 'move'}", self._scores(place), 0, last)]
        names = first_names(self.review.opening.names)
        for first, last in contracts(self.strips):
            goal = self.strips[first].goal
            assert goal is not None  # noqa: S101  a contract begins there
            taken = [strip.taken for strip in self.strips[first : last + 1]]
            flags = {flag - first: mark for flag, mark in self._flags.items() if first <= flag <= last}
            chart = Chart(taken, names, flags=flags, what="Taken", goal=goal.bid, key=str(first))
            svg = chart.svg(max(0, min(last, place) - first))
            unit = " points" if goal.unit == "points" else ""
            plots.append(Plot("Taken", f"this hand, {goal.bid}{unit} to make", svg, first, last))
        current = max(n for n, plot in enumerate(plots) if plot.first <= place <= plot.last)
        return [plot._replace(shown=n == current) for n, plot in enumerate(plots)]

    def _scores(self, place: int) -> str:
        """The chart of the scores, with its line at that step."""
        scores, names = [strip.scores for strip in self.strips], tuple(first_names(self.review.opening.names))
        if self.story.shared:
            scores, names = [row[:1] for row in scores], ("all",)
        ticks = [(chapter.place, chapter.title.lower()) for chapter in self.story.chapters if "Hand" in chapter.title]
        claimed = [] if self.story.shared else list(self._claimed())
        kind = Band if self.duel else Chart
        chart = kind(scores, names, claimed, self._flags, ticks if len(ticks) > 1 else ())
        chart.moments = [moment.place for moment in self.moments]
        return chart.svg(place)

    @property
    def duel(self) -> bool:
        """Whether one of two players can lead, with more points."""
        return len(self.review.opening.names) == DUEL and not self.story.shared and not self.review.standing().low_wins

    def _claimed(self) -> Iterator[tuple[int, int, int]]:
        """The totals that the table called and that differ from the right ones: place, seat, points."""
        for place, step in enumerate(self.review.steps):
            if isinstance(step.event, Score) and step.event.scope == "game":
                for player, points in step.event.points.items():
                    seat = self.review.opening.seat(player)
                    if self.strips[place].scores[seat] != points:
                        yield place, seat, points

    @lazy
    def data(self) -> str:
        """The steps as JSON for the page's script, safe inside a script element."""
        steps = [
            [line.phrase.seq, strip.scores, strip.turns, strip.notes, strip.wins, strip.next_, step.event.when]
            for line, strip, step in zip(self.story.lines, self.strips, self.review.steps, strict=True)
        ]
        closed = any(type(step.event) is Close for step in self.review.steps)
        # An open game is followed live, from the version on this page.
        version = None if self.recorded or closed else len(self.record.events)
        values = {
            "id": self.id,
            "version": version,
            "rows": [] if version is None else [zlib.crc32(item.encode()) for item in self.items],
            "steps": steps,
            "flags": [place for place, _mark in self.marks],
            "slips": self.slips,
            "joined": sorted(self.story.joined),
            "moves": self.story.moves,
            "moments": [
                (moment.place, round(1000 * moment.seconds), moment.headline, moment.why) for moment in self.moments
            ],
            "pace": self.film_pace[:2],
            "chapters": [chapter.place for chapter in self.story.chapters],
            "rules": {finding.clause: self.review.meaning(finding.clause) for finding in self.review.report.findings},
        }
        return msgspec.json.encode(values).decode().replace("<", "\\u003c")

    @lazy
    def decidable(self) -> bool:
        """Whether the game is over, and the record knows all tiles at the end of some hand."""
        review = self.review
        return review.report.finished and not self.recorded and is_known(review.game, review.steps)

    def reasons(self) -> list[tuple[int, str, int, str, str]]:
        """Every reason for points: seq, player, points, why, clause."""
        names = self.review.opening.names
        return [
            (seq, names[reason.player], reason.points, self.review.named(reason.because), reason.clause)
            for seq, reason in self.review.scored
            if reason.points
        ]

    def reasons_together(self) -> list[tuple[int, str, int, str]]:
        """The reasons for the points of a player at a move in one text: seq, player, points, why; for paper."""
        together: dict[tuple[int, str], list[tuple[int, str]]] = {}
        for seq, who, points, because, _clause in self.reasons():
            together.setdefault((seq, who), []).append((points, because))
        return [
            (
                seq,
                who,
                sum(points for points, _because in parts),
                "; ".join(f"{points}: {because}" if len(parts) > 1 else because for points, because in parts),
            )
            for (seq, who), parts in together.items()
        ]

    @property
    def under(self) -> str:
        """The query of a link to this record's revision of the rules; empty if that is the newest."""
        game, newest = self.review.game, self.review.newest
        return "" if game is newest else f"?rules={quote(game.revision)}"

    @lazy
    def record_digest(self) -> bytes:
        """The digest of the record (32 bytes)."""
        return chain.record_digest(self.record.events)

    @lazy
    def bg_stats(self) -> str:
        """The link that enters the game in the app BG Stats; empty while it is not finished, and without a day."""
        try:
            return bg_stats(self.review)
        except NotForNow:
            return ""

    @lazy
    def slips(self) -> list[int]:
        """The places of the mistakes; while their causes are unknown, the places with a breach or worse."""
        return [mistake.place for mistake in self.story.explained] or self.story.mistakes

    def summary(self) -> Iterator[tuple[str, int, int, int]]:
        """For each player: name, score, number of moves, and number of acts and claims that break a rule."""
        review = self.review
        for seat, player in enumerate(review.opening.players):
            steps = [step for step in review.steps if getattr(step.event, "player", None) == player]
            moves = sum(type(step.event) in MOVES for step in steps)
            own = {step.seq for step in steps}
            wrong = sum(self.review.steps[place].seq in own for place in self.slips)
            yield review.opening.names[seat], review.standing().scores[seat], moves, wrong
