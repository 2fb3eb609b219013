"""The list of moves as HTML, and the line of the bar, which has the same cells.

The script of the page fills the bar with the cells of a row, so there is one writer of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ledger.game import Finding
from ledger.reports import detail
from ledger.review import Review
from ledger.tiles import Tile
from viewer.pages.story import Chapter, Line, Story

VERDICTS = {"impossible": "Impossible", "breach": "Mistake", "unproven": "Not proven", "note": "Note"}
FLAGS = {"impossible": "struck-flag", "breach": "flag", "unproven": "open-flag"}
HYPHEN = "\N{NON-BREAKING HYPHEN}"


def letters(names: Sequence[str]) -> list[str]:
    """A letter for each player: the first letter of the name that nobody before has taken."""
    taken: list[str] = []
    for seat, name in enumerate(names):
        own = [letter.upper() for letter in name if letter.isalnum()]
        taken.append(next((letter for letter in own if letter not in taken), str(seat + 1)))
    return taken


def icon(name: str) -> str:
    """A sign of `icons.html`."""
    return f'<svg class="ic" aria-hidden="true"><use href="#ic-{name}"/></svg>'


def tile(shown: Tile) -> str:
    """A tile in a line of text."""
    return f'<span class="tn"><i>{shown.first}</i><i>{shown.second}</i></span>'


def plain(text: str) -> str:
    """A sentence, escaped, whose tiles and squares do not break at their hyphen."""
    words = text.split(" ")
    return escape(" ".join(word.replace("-", HYPHEN) if _whole(word) else word for word in words))


def _whole(word: str) -> bool:
    """Whether a word is a tile, a square or a score, which must not break."""
    return len(word) < 12 and any(letter.isdigit() for letter in word)


class Rows:
    """The rows of a story."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.review: Review = story.review
        self.letters = letters(story.names)

    def html(self, now: int) -> str:
        """The rows, each chapter under its name; the one at the place `now` is marked."""
        chapters = {chapter.place: chapter for chapter in self.story.chapters}
        parts = []
        for line in self.story.lines:
            if line.place in chapters:
                parts.append(self._chapter(chapters[line.place]))
            parts.append(self._row(line, now=line.place == now))
        return "".join(parts)

    def _chapter(self, chapter: Chapter) -> str:
        return f'<li class="lv"><h3>{chapter.title}</h3><span>{self.gained(chapter.gains)}</span></li>'

    def gained(self, gains: Sequence[int]) -> str:
        """Points beside the players who got them: ``Ana +17 · Ben +46``; shared ones once."""
        if not any(gains):
            return ""
        if self.story.shared:
            return f"+{gains[0]} cheat{'s' if gains[0] != 1 else ''}"
        short = len(gains) > 3
        return " · ".join(
            f'<span class="nb">{escape(self.letters[seat] if short else self.story.names[seat])} {points:+}</span>'
            for seat, points in enumerate(gains)
            if points
        )

    def _row(self, line: Line, *, now: bool) -> str:
        flagged = " flagged" if line.place in self._flags else ""
        current = ' aria-current="step"' if now else ""
        return (
            f'<li id="p{line.seq}" class="{"now" if now else ""}{flagged}">'
            f'<a class="row" href="?ply={line.seq}" data-ply="{line.place}" aria-label="{self.aloud(line)}"{current}>'
            f"{self.cells(line)}</a>{''.join(map(self._why, line.findings))}</li>"
        )

    @property
    def _flags(self) -> frozenset[int]:
        cached = self.__dict__.get("_places")
        if cached is None:
            cached = self.__dict__["_places"] = frozenset(self.story.flags)
        return cached

    def aloud(self, line: Line) -> str:
        """The step for people who listen: the sentence, its points and what is wrong with it."""
        parts = [f"{line.seq}: {line.sentence}"]
        gained = [f"{self.story.names[seat]} {points:+}" for seat, points in enumerate(line.gains) if points]
        if gained:
            parts.append(f"{line.gains[0]:+} for everybody" if self.story.shared else ", ".join(gained))
        parts += [f"{VERDICTS[finding.verdict]}: {self.message(finding)}" for finding in line.findings]
        return escape(". ".join(part.rstrip(".") for part in parts))

    def message(self, finding: Finding) -> str:
        """The sentence of a finding, with its full stop."""
        text = self.review.named(finding.message)
        text = text[:1].upper() + text[1:]
        return text if text.endswith((".", "!", "?")) else f"{text}."

    def cells(self, line: Line) -> str:
        """The cells of a row: number, player, tile, place, points, flag."""
        number = f'<span class="no">{line.seq}</span>'
        if line.seat is None:
            text = self.story.ending() if line.ending and self.story.ending() else line.sentence
            text = text[:1].upper() + text[1:]
            sign = f'<span class="good">{icon("check")}</span>' if line.ending else ""
            return f'{number}<span class="long">{sign}<span class="say-it">{plain(text)}</span></span>{self._tail(line)}'
        who = (
            f'<span class="who p{line.seat % 8 + 1}">{escape(self.letters[line.seat])}</span>'
            f'<b class="nm">{escape(self.story.names[line.seat])}</b>'
        )
        laid = tile(line.tile) if line.tile is not None else ""
        where = f'<span class="at{"" if laid else " wide"}" title="{escape(line.words or line.spot)}">'
        if line.words:
            where += f"{plain(line.words)}</span>"
        else:
            lead = f'<span class="lead">{escape(line.lead)}</span>' if line.lead else ""
            where += f"{lead}{plain(line.spot)}</span>"
        return f"{number}{who}{laid}{where}{self._tail(line)}"

    def _tail(self, line: Line) -> str:
        flag = next((FLAGS[finding.verdict] for finding in line.findings if finding.verdict in FLAGS), None)
        return f"{self._points(line)}<span class='flag'>{icon(flag) if flag else ''}</span>"

    def _points(self, line: Line) -> str:
        if line.called is not None and line.seat is not None:
            counted = line.gains[line.seat] if line.gains else 0
            return f'<span class="pts"><s>+{line.called}</s> → {counted}</span>'
        if not any(line.gains):
            return '<span class="pts"></span>'
        alone = [seat for seat, points in enumerate(line.gains) if points] == [line.seat]
        if alone and not self.story.shared:
            return f'<span class="pts">{line.gains[line.seat or 0]:+}</span>'
        many = "" if self.story.shared else " many"
        return f'<span class="pts{many}">{self.gained(line.gains)}</span>'

    def _why(self, finding: Finding) -> str:
        if finding.verdict == "note":
            return f'<p class="why note">{plain(self.message(finding))}</p>'
        compared = self.review.named(detail(finding)).strip(" ()")
        link = f"/games/{self.review.game.name}{self.under}#{finding.clause}"
        told = f' data-compared="{escape(compared)}"' if compared else ""
        return (
            f'<p class="why {finding.verdict}"><span>{plain(self.message(finding))}</span> '
            f'<a class="rule" href="{escape(link)}" data-verdict="{VERDICTS[finding.verdict]}"{told}>The rule</a></p>'
        )

    under = ""
    """The query of a link to this record's revision of the rules."""
