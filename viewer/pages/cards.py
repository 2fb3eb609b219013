"""What stands on the picture of a link to a step: who plays, how it stands, what has happened, what was found."""

from __future__ import annotations

from ledger.words import listed
from viewer.pages.replay_cache import ReplayView
from viewer.pictures.card import Line, card
from viewer.server.dates import day

MISTAKES = ("breach", "impossible")


def card_of(ready: ReplayView, place: int) -> str:
    """The card of a record at a step, as SVG."""
    story, line, board = ready.story, ready.story.lines[place], ready.boards[place]
    at_end = place == len(story.lines) - 1
    ending = story.ending() if at_end else ""
    played = day(ready.record.opening.played)
    about = " · ".join(part for part in (ready.review.game.title, played) if part)
    if story.shared:
        players = [Line(listed(story.names), str(board.scores[0]), True)]
    else:
        first = set(board.wins) or {seat for seat, score in enumerate(board.scores) if score == max(board.scores)}
        pairs = zip(story.names, board.scores, strict=True)
        players = [Line(name, str(score), seat in first) for seat, (name, score) in enumerate(pairs)]
    news = ending.removeprefix("Game over. ") if ending else line.phrase.sentence
    return card(ready.film, place, about, players, news, _note(ready, place, at_end=at_end))


def _note(ready: ReplayView, place: int, *, at_end: bool) -> str:
    """How many mistakes the audit has found, at the end; before it, what is wrong with this move."""
    if at_end:
        count = sum(finding.verdict in MISTAKES for finding in ready.review.report.findings)
        return "" if not count else "1 mistake found" if count == 1 else f"{count} mistakes found"
    found = [finding for finding in ready.story.lines[place].findings if finding.verdict in MISTAKES]
    return ready.rows.message(found[0]) if found else ""
