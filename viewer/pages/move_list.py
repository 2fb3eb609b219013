"""The list of moves as HTML, and the line in the bar, which has the same cells.

The script of the page copies the cells of a row into the bar, so this code writes both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from ledger.audit.reports import detail
from ledger.audit.review import Review
from ledger.record.events import Open, Play
from ledger.record.tiles import Tile
from ledger.record.visible import isolated, unbroken
from ledger.rules.game import Finding
from viewer.pages.story import DUEL, Chapter, Line, Story
from viewer.pictures.flat import letter

VERDICTS = {"impossible": "Impossible", "breach": "Mistake", "unproven": "Not proven", "note": "Note"}
SHORT = 16
"""How many letters of all names together fit beside points; longer names are shown as one letter each."""
_SCORE = re.compile(r" (?=-?\d+(?:,|$))")
"""The space before a score at the end of a part of a sentence: ``Ana 45, Ben 54`` and ``137 : 118``."""
FLAGS = {"impossible": "struck-flag", "breach": "flag", "unproven": "open-flag"}


def icon(name: str) -> str:
    """An icon from `icons.html`."""
    return f'<svg class="ic" aria-hidden="true"><use href="#ic-{name}"/></svg>'


def tile(value: Tile) -> str:
    """A tile in a line of text."""
    return f'<span class="tn"><i>{value.first}</i><i>{value.second}</i></span>'


def plain(text: str) -> str:
    """A sentence, escaped, whose tiles, squares, scores and numbers with their unit do not break."""
    return escape(_SCORE.sub("\u00a0", unbroken(text)).replace(" : ", "\u00a0:\u00a0"))


class Rows:
    """The rows of a story."""

    def __init__(self, story: Story, under: str = "") -> None:
        """`under` is the query of a link to the record's revision of the rules."""
        self.story, self.under = story, under
        self.mistakes = frozenset(story.mistakes)
        self.slips = frozenset(mistake.place for mistake in story.explained if mistake.proposals)
        self.review: Review = story.review
        self.letters = [letter(name) for name in story.names]

    def html(self, current: int) -> str:
        """The rows, each chapter under its name; the row at the place `current` is marked."""
        return "".join(self.items(current))

    def items(self, current: int = -1) -> list[str]:
        """The rows and the names of the chapters, one by one."""
        chapters = {chapter.place: chapter for chapter in self.story.chapters}
        parts = []
        for line in self.story.lines:
            if line.place in chapters:
                parts.append(self._chapter(chapters[line.place]))
            parts.append(self._row(line, is_current=line.place == current))
        return parts

    def _chapter(self, chapter: Chapter) -> str:
        return f'<li class="lv"><h3>{chapter.title}</h3><span>{self.gained(chapter.gains)}</span></li>'

    def gained(self, gains: Sequence[int]) -> str:
        """Points beside the players who got them: ``Ana +17 · Ben +46``; shared ones once."""
        if not any(gains):
            return ""
        if self.story.shared:
            return f"+{gains[0]} cheat{'s' if gains[0] != 1 else ''}"
        names = self.story.names if sum(map(len, self.story.names)) <= SHORT else self.letters
        return " · ".join(
            f'<span class="nb"><bdi>{escape(names[seat])}</bdi> {points:+}</span>'
            for seat, points in enumerate(gains)
            if points
        )

    def _row(self, line: Line, *, is_current: bool) -> str:
        seq, flagged = line.phrase.seq, " flagged" if line.place in self.mistakes else ""
        if line.place in self.slips:
            flagged = " flagged slip"
        elif line.place in self.story.consequences:
            flagged = " follows"
        current = ' aria-current="step"' if is_current else ""
        return (
            f'<li id="p{seq}" class="{"now" if is_current else ""}{flagged}">'
            f'<a class="row" href="?ply={seq}" data-ply="{line.place}" aria-label="{self.aloud(line)}"{current}>'
            f"{self.cells(line)}</a>{''.join(map(self._why, line.findings))}</li>"
        )

    def aloud(self, line: Line) -> str:
        """The step for people who listen: the sentence, its points and what is wrong with it."""
        parts = [f"{line.phrase.seq}: {line.phrase.sentence}"]
        gained = [f"{isolated(self.story.names[seat])} {points:+}" for seat, points in enumerate(line.gains) if points]
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
        """The cells of a row: number, player, tile, place or act, points, flag, and the code of the sheet."""
        phrase = line.phrase
        number, code = f'<span class="no">{phrase.seq}</span>', f"<code>{escape(line.code)}</code>"
        if phrase.seat is None:
            sign = f'<span class="good">{icon("check")}</span>' if line.ending else ""
            head, colon, names = phrase.sentence.partition(": ") if self._repeats(line) else (phrase.sentence, "", "")
            tail = f'<span class="tail">{colon}{plain(names)}</span>' if colon else ""
            long = f'<span class="long">{sign}<span>{plain(head)}{tail}</span></span>'
            return f"{number}{long}{code}{self._tail(line)}"
        player = (
            f'<span class="who p{phrase.seat % 8 + 1}">{escape(self.letters[phrase.seat])}</span>'
            f'<b class="nm" dir="auto">{escape(self.story.names[phrase.seat])}</b>'
        )
        tile_cell = tile(phrase.tile) if phrase.tile is not None else ""
        act = f"{plain(phrase.act)} " if phrase.act else ""
        lead, comma, spot = self._place(line).rpartition(", ")
        lead_cell = f'<span class="lead"><span class="on">on </span>{plain(lead)}, </span>' if comma else ""
        kind = "at" if tile_cell else "at wide"
        place = f'<span class="{kind}">{act}{lead_cell}{plain(spot)}</span>'
        return f"{number}{player}{tile_cell}{place}{code}{self._tail(line)}"

    def _repeats(self, line: Line) -> bool:
        """Whether the sentence goes on with many names or scores that are also shown above the table."""
        ending = line.ending and len(self.story.names) > DUEL and not self.review.standing(line.place).title
        return ending or type(self.review.steps[line.place].event) is Open

    def _place(self, line: Line) -> str:
        """Where the tile went; ``on the pile`` in a game with one pile."""
        event = self.review.steps[line.place].event
        piled = isinstance(event, Play) and not self.review.game.line_ends
        return line.phrase.place or ("on the pile" if piled else "")

    def _tail(self, line: Line) -> str:
        verdict = next((finding.verdict for finding in line.findings if finding.verdict in FLAGS), None)
        flag = f'<span class="flag {verdict}">{icon(FLAGS[verdict])}</span>' if verdict else ""
        return f"{self._points(line)}{flag}"

    def _points(self, line: Line) -> str:
        if line.called is not None and line.phrase.seat is not None:
            counted = line.gains[line.phrase.seat] if line.gains else 0
            return f'<span class="pts"><s>+{line.called}</s> → {counted}</span>'
        if not any(line.gains):
            return '<span class="pts"></span>'
        alone = [seat for seat, points in enumerate(line.gains) if points] == [line.phrase.seat]
        if alone and not self.story.shared:
            return f'<span class="pts">{line.gains[line.phrase.seat or 0]:+}</span>'
        kind = "" if self.story.shared else " many"
        return f'<span class="pts{kind}">{self.gained(line.gains)}</span>'

    def _why(self, finding: Finding) -> str:
        link = escape(f"/games/{self.review.game.name}{self.under}#{finding.clause}")
        comparison = escape(self.review.named(detail(finding)).strip(" ()"))
        return (
            f'<p class="why {finding.verdict}"><span>{plain(self.message(finding))}</span> '
            f'<a class="rule" href="{link}" data-clause="{escape(finding.clause)}" '
            f'data-verdict="{VERDICTS[finding.verdict]}" data-compared="{comparison}">The rule</a></p>'
        )

    def finding(self, line: Line) -> str:
        """The sentence of the gravest finding at a step, for the bar; empty without one."""
        grave = [finding for finding in line.findings if finding.verdict in FLAGS]
        if not grave:
            return ""
        more = f' <span class="nb soft">and {len(grave) - 1} more</span>' if len(grave) > 1 else ""
        link = escape(f"/games/{self.review.game.name}{self.under}#{grave[0].clause}")
        return (
            f'<a class="finding {grave[0].verdict}" id="finding" href="{link}">{icon(FLAGS[grave[0].verdict])}'
            f"<span>{plain(self.message(grave[0]))}{more}</span><u>See the rule</u></a>"
        )
