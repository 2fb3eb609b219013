"""A record made ready to be shown, and the few that are kept: a record only grows, so its length is its version."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from functools import cached_property
from html import escape
from threading import Lock
from urllib.parse import quote

import msgspec

from ledger import chain
from ledger.events import CORRECTIONS, Cheats, Close, Score
from ledger.game import Finding
from ledger.record import Record
from ledger.reports import MARKS, by_rules, detail, outcome, shown
from ledger.review import Review
from viewer import svg
from viewer.frames import Film, changes, film

KEPT = 64
"""How many records a process keeps ready."""
ADDRESSES = 8
"""Under how many names of this site a page is kept: whoever asks can make one up."""


class Prepared:
    """What the pages of a record are made of, each piece when it is first asked for.

    `recorded` shows the record as it was written down, before corrections.
    """

    def __init__(self, record_id: str, record: Record, *, recorded: bool = False) -> None:
        """Raises UnknownGame, or NotARecord for an opening that the game cannot read."""
        self.id, self.record, self.recorded = record_id, record, recorded
        self.review = Review(record, record_id, as_recorded=recorded)
        self.pages: dict[str, bytes] = {}

    def keep(self, key: str, page: bytes) -> None:
        """Keeps a page as it was made, in the place of an older one if there are many."""
        while len(self.pages) >= ADDRESSES:
            self.pages.pop(next(iter(self.pages)), None)
        self.pages[key] = page

    @cached_property
    def film(self) -> Film:
        """The steps as pictures."""
        return film(self.review)

    @property
    def corrected(self) -> bool:
        """Whether anything was put right later."""
        return any(type(event) in CORRECTIONS for event in self.record.events)

    @cached_property
    def title(self) -> str:
        """The game, who played, and when."""
        played = self.record.opening.played
        return f"{self.review.game.title} · {' – '.join(self.review.opening.names)}{f' · {played}' if played else ''}"

    def place(self, ply: str | None) -> int:
        """The place of a step by the seq in a link; the last where there is none, the nearest where it is gone."""
        if ply is None or not ply.isdecimal() or len(ply) > 9:
            return len(self.film.frames) - 1
        exact = self.review.place(int(ply))
        if exact is not None:
            return exact
        return max((n for n, frame in enumerate(self.film.frames) if frame.seq <= int(ply)), default=0)

    @cached_property
    def moves(self) -> str:
        """The list of steps, each with its findings, as HTML: each a link to itself."""
        lines = []
        for n, frame in enumerate(self.film.frames):
            findings = self.review.findings.get(frame.seq, ())
            marks = "".join(
                f"<b class='m {found.verdict}'>{MARKS[found.verdict]}<span> {found.verdict}</span></b>"
                for found in findings
            )
            gained = f" <em>+{sum(frame.gained)}</em>" if sum(frame.gained) else ""
            lines.append(
                f'<li id="p{frame.seq}"{" class=round" if frame.round_ else ""}>'
                f'<a href="?ply={frame.seq}#{frame.seq}" data-ply="{n}"><i>{frame.seq}</i> '
                f"<span>{escape(frame.words)}</span> <code>{escape(frame.notation)}</code>{gained}{marks}</a>"
                f"{''.join(map(self._finding, findings))}</li>"
            )
        return "".join(lines)

    def _finding(self, finding: Finding) -> str:
        review = self.review
        said = escape(review.named(finding.message))
        compared = escape(review.named(detail(finding)).strip(" ()"))
        return (
            f'<details class="f {finding.verdict}"><summary>{MARKS[finding.verdict]} {said}</summary>'
            f"{f'<p>{compared}</p>' if compared else ''}<p>{escape(review.meaning(finding.clause))} "
            f'<a class="id" href="/games/{review.game.name}{self.under}#{finding.clause}">{finding.clause}</a>'
            "</p></details>"
        )

    def panels(self, place: int) -> str:
        """All pictures, with the step at that place switched on."""
        there = self.film.frames[place].items
        return "".join(svg.panel(self.film, panel, there) for panel in self.film.panels)

    @cached_property
    def flags(self) -> list[tuple[int, str]]:
        """The places of findings, with their marks; notes apart."""
        return [
            (place, MARKS[found[0].verdict])
            for place, frame in enumerate(self.film.frames)
            if (found := [f for f in self.review.findings.get(frame.seq, ()) if f.verdict != "note"])
        ]

    @cached_property
    def chart(self) -> str:
        """The scores over the steps."""
        claimed = []
        for place, step in enumerate(self.review.steps):
            scores = self.film.frames[place].scores
            if isinstance(step.event, Score) and step.event.scope == "game":
                for player, points in step.event.points.items():
                    seat = self.review.opening.seat(player)
                    if scores[seat] != points:
                        claimed.append((place, seat, points))
            elif isinstance(step.event, Cheats) and scores[0] != step.event.count:
                claimed.append((place, 0, step.event.count))
        return svg.Chart(self.film, self.review.opening.names, claimed, self.flags).svg()

    @cached_property
    def data(self) -> str:
        """The steps for the page's script: small, and safe inside a script element."""
        frames = [
            [f.seq, f.words, f.status, f.scores, f.turns, f.notes, int(f.round_), f.when, sum(f.gained), come, go]
            for f, (come, go) in zip(self.film.frames, changes(self.film.frames), strict=True)
        ]
        closed = any(type(step.event) is Close for step in self.review.steps)
        # A game that goes on is followed live, from the version that this page shows.
        version = None if self.recorded or closed else len(self.record.events)
        plain = {"id": self.id, "version": version, "frames": frames, "flags": [at for at, _mark in self.flags]}
        return msgspec.json.encode(plain).decode().replace("<", "\\u003c")

    def reasons(self) -> list[tuple[int, str, int, str, str]]:
        """Every reason for points: seq, player, points, because of what, by which clause."""
        names = self.review.opening.names
        return [
            (seq, names[reason.player], reason.points, self.review.named(reason.because), reason.clause)
            for seq, reason in self.review.scored
            if reason.points
        ]

    def rulings(self) -> list[tuple[str, str, str]]:
        """The rulings that the verdict rests on: name, value, what it is about."""
        meanings = {option.name: option.meaning for option in self.review.game.rulings}
        return [(name, shown(value), meanings[name]) for name, value in self.review.report.rulings.items()]

    @property
    def judged(self) -> str:
        """By which revision of the rules, where there are several."""
        return by_rules(self.review)

    @property
    def under(self) -> str:
        """The query of a link to the rules that judge this record; empty where those are the newest."""
        own, newest = self.review.game, self.review.newest
        return "" if own is newest else f"?rules={quote(own.revision)}"

    @property
    def outcome(self) -> str:
        """The scores, and who won."""
        return outcome(self.review)

    @cached_property
    def record_digest(self) -> bytes:
        """The digest of the record (32 bytes)."""
        return chain.record_digest(self.record.events)

    @property
    def fingerprint(self) -> str:
        """The same, for people."""
        return chain.fingerprint(self.record_digest)

    def agreed(self) -> Iterator[tuple[str, str]]:
        """Who confirmed the record, and what is to be said about that."""
        for each in chain.confirmations(self.record):
            doubt = "" if each.last else "before it was corrected"
            yield self.review.names.get(each.player, each.player), doubt if each.true else "of another record"

    def summary(self) -> Iterator[tuple[str, int, int, int]]:
        """For each player: the score, how many acts, and how many of them break a rule."""
        review = self.review
        for seat, player in enumerate(review.opening.players):
            acts = [step.seq for step in review.steps if getattr(step.event, "player", None) == player]
            wrong = sum(
                any(f.verdict in ("breach", "impossible") for f in review.findings.get(seq, ())) for seq in acts
            )
            yield review.opening.names[seat], review.standing().scores[seat], len(acts), wrong


class Shelf:
    """The records kept ready, by id and whether as recorded; the one that was not asked for longest goes first."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept, self._ready, self._lock = kept, OrderedDict[tuple[str, bool], Prepared](), Lock()

    def get(self, record_id: str, record: Record, *, recorded: bool = False) -> Prepared:
        """A record made ready.  Raises what `Prepared` raises."""
        key = (record_id, recorded)
        with self._lock:
            ready = self._ready.get(key)
            # A ledger only grows: as many events are the same events.
            if ready is not None and len(ready.record.events) == len(record.events):
                self._ready.move_to_end(key)
                return ready
        ready = Prepared(record_id, record, recorded=recorded)
        with self._lock:
            self._ready[key] = ready
            while len(self._ready) > self._kept:
                self._ready.popitem(last=False)
        return ready
