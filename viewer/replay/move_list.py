"""The rows of the list of moves, and the line in the bar, which has the same cells: `move_list.html` writes both."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from ledger.audit.review import Review
from ledger.record.events import Open, Play
from ledger.record.sentences import EXPECTED, literal
from ledger.record.visible import isolated
from ledger.record.words import format_value, sentence
from ledger.rules.game import Judged
from viewer.every_page.templates import environment
from viewer.pictures.flat_tiles import sign
from viewer.replay.story import DUEL, Line, Story

VERDICTS = {"impossible": "Impossible", "breach": "Mistake", "unproven": "Not proven", "note": "Note"}
SHORT = 16
"""How many letters of all names together fit beside points; longer names are shown as one letter each."""
FLAGS = {"impossible": "struck-flag", "breach": "flag", "unproven": "open-flag"}


@cache
def _macros() -> Any:
    return environment().get_template("move_list.html").module


class Rows:
    """The rows of a story."""

    flags, verdicts = FLAGS, VERDICTS

    def __init__(self, story: Story, under: str = "") -> None:
        """`under` is the query of a link to the record's revision of the rules."""
        self.story, self.under = story, under
        self.mistakes = frozenset(story.mistakes)
        self.slips = frozenset(mistake.place for mistake in story.explained if mistake.proposals)
        self.review: Review = story.review
        self.signs = [sign(seat, story.names) for seat in range(len(story.names))]

    def html(self, current: int) -> str:
        """The rows, each chapter under its name; the row at the place `current` is marked."""
        return "".join(self.items(current))

    def items(self, current: int = -1) -> list[str]:
        """The rows and the names of the chapters, one by one."""
        chapters = {chapter.place: chapter for chapter in self.story.chapters}
        parts, macros = list[str](), _macros()
        for line in self.story.lines:
            if line.place in chapters:
                parts.append(str(macros.chapter(self, chapters[line.place])))
            parts.append(str(macros.row(self, line, line.place == current)))
        return parts

    def cells(self, line: Line) -> str:
        """The cells of a row: number, player, tile, place or act, points, flag, and the code of the sheet."""
        return str(_macros().cells(self, line))

    def finding(self, line: Line) -> str:
        """The sentence of the gravest finding at a step, for the bar; empty without one."""
        grave = [finding for finding in line.findings if finding.verdict in FLAGS]
        return str(_macros().finding(self, grave)) if grave else ""

    # ── What the template asks ─────────────────────────────────────────────────────────────────────────────

    def kind(self, line: Line) -> str:
        """The class of a row: whether it is a slip, a mistake, follows from one, or belongs to the row before."""
        if line.place in self.story.joined:
            return " joined"
        if line.place in self.slips:
            return " flagged slip"
        if line.place in self.story.consequences:
            return " follows"
        return " flagged" if line.place in self.mistakes else ""

    def gained(self, gains: Sequence[int]) -> list[tuple[str, str]]:
        """Points beside the players who got them: ``Ana +17 · Ben +46``; shared ones once, beside nobody."""
        if not any(gains):
            return []
        if self.story.shared:
            return [("", f"+{gains[0]} cheat{'s' if gains[0] != 1 else ''}")]
        names = self.story.names if sum(map(len, self.story.names)) <= SHORT else self.signs
        return [(names[seat], f"{points:+}") for seat, points in enumerate(gains) if points]

    def alone(self, line: Line) -> bool:
        """Whether only the player who acted got points."""
        return not self.story.shared and [seat for seat, got in enumerate(line.gains) if got] == [line.phrase.seat]

    def many(self, line: Line) -> bool:
        """Whether the points are named with their players."""
        return any(line.gains) and not self.story.shared

    def aloud(self, line: Line) -> str:
        """The step for people who listen: the sentence, its points and what is wrong with it."""
        parts = [f"{line.place}: {line.phrase.sentence}"]
        if line.place + 1 in self.story.joined:
            parts.append(self.story.lines[line.place + 1].phrase.sentence)
        gained = [f"{isolated(self.story.names[seat])} {points:+}" for seat, points in enumerate(line.gains) if points]
        if gained:
            parts.append(f"{line.gains[0]:+} for everybody" if self.story.shared else ", ".join(gained))
        parts += [f"{VERDICTS[finding.verdict]}: {self.message(finding)}" for finding in line.findings]
        return ". ".join(part.rstrip(".") for part in parts)

    def message(self, finding: Judged) -> str:
        """The sentence of a finding, with its full stop."""
        return sentence(self.review.message(finding))

    def then(self, line: Line) -> str:
        """What belongs to a step although it was recorded after it: ``Cy takes 2 tiles``."""
        if line.place + 1 not in self.story.joined:
            return ""
        phrase = self.story.lines[line.place + 1].phrase
        return f"{isolated(self.story.names[phrase.seat or 0])} {phrase.act.partition(' tile')[0]}"

    def link(self, finding: Judged) -> str:
        """Where the rule stands."""
        return f"/rules/{self.review.game.name}{self.under}#{finding.clause}"

    def compared(self, finding: Judged) -> str:
        """The two values that a finding compares, if any."""
        if finding.expected is None or finding.claimed is None:
            return ""
        return f"by the rules {self._value(finding, finding.expected)}, called {self._value(finding, finding.claimed)}"

    def _value(self, finding: Judged, value: Any) -> str:
        """One of the two; a fault gives several values, or those that its sentence has a place for, only of people."""
        if isinstance(value, list | tuple) or EXPECTED in finding.sentence:
            names, ids = self.review.names, [value] if isinstance(value, str) else value
            return format_value([names[player] for player in ids])
        return self.review.named(literal(format_value(value)))

    def sentence(self, line: Line) -> tuple[str, str]:
        """A sentence about nobody in particular, and its end, if that has many names or scores shown above, too."""
        ending = line.ending and len(self.story.names) > DUEL and not self.review.standing(line.place).title
        if not (ending or type(self.review.steps[line.place].event) is Open):
            return line.phrase.sentence, ""
        head, colon, names = line.phrase.sentence.partition(": ")
        return f"{head}{self.story.margin if ending else ''}", f"{colon}{names}"

    def place(self, line: Line) -> tuple[str, str]:
        """Where the tile went, in two parts; ``on the pile`` in a game with one pile."""
        event = self.review.steps[line.place].event
        piled = isinstance(event, Play) and not self.review.game.line_ends
        lead, _comma, spot = (line.phrase.place or ("on the pile" if piled else "")).rpartition(", ")
        return lead, spot

    def finished(self, line: Line) -> bool:
        """Whether a game ends here that was played to its end, and audited: others get no tick."""
        return line.ending and not self.review.card and self.review.standing(line.place).finished and not line.findings

    def flagged(self, line: Line) -> str | None:
        """The first verdict of a row that has a flag."""
        return next((finding.verdict for finding in line.findings if finding.verdict in FLAGS), None)
