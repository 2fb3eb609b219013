"""`replay`: steps through a record at the keyboard, or prints one line for each step."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click

from ledger.audit.reports import step_lines
from ledger.cli.ledger_access import review_of
from ledger.cli.list_commands import frame
from ledger.cli.shared_options import RECORD
from ledger.cli.terminal import echo, is_dumb, width

if TYPE_CHECKING:
    from ledger.audit.review import Review

KEYS = ("← → or ↑ ↓ step", "[ ] ten", "Home End", "n p findings", "17 Enter go to move 17", "q quit")
_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|.", re.DOTALL)
_FORWARD = ("\x1b[C", "\x1bOC", "\x1b[B", "\x1bOB", "j", " ", "l")
_BACK = ("\x1b[D", "\x1bOD", "\x1b[A", "\x1bOA", "k", "h", "\x7f", "\b")
_FIRST = ("\x1b[H", "\x1bOH", "\x1b[1~", "^")
_LAST = ("\x1b[F", "\x1bOF", "\x1b[4~", "$", "G")
_ENTER = ("\r", "\n", "g")
_QUIT = ("q", "\x03", "\x04", "\x1b")


@click.command("replay")
@RECORD
@click.option("--steps", is_flag=True, help="Print every step with its state digest instead.")
@click.pass_obj
def replay_(path: str, record: str, *, steps: bool) -> None:
    """Step through RECORD at the keyboard.

    Use the arrow keys (or k and j), Home and End, n and p (next, previous finding), and q (quit).  Digits and Enter go
    to a move.  In a pipe, or with --steps, it prints one line per step: number, state digest, move, scores.

    \b
    Examples:
      domino-ledger replay 7k3m
      domino-ledger replay games.ndjson:3 --steps | head
    """
    review = review_of(path, record)
    if steps or not _is_terminal():
        for line in step_lines(review):
            echo(line)
        return
    walk = Walk(review)
    while True:
        if not is_dumb():
            click.clear()
        echo("\n".join([*frame(review, walk.place), "", walk.prompt]))
        try:
            pressed = click.getchar()
        except (KeyboardInterrupt, EOFError):
            return
        # Keys that are pressed quickly arrive together.
        if not all(walk.press(key) for key in _KEY.findall(pressed)):
            return


def _is_terminal() -> bool:
    """Whether input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


class Walk:
    """A walk through the steps of a record, key by key; `place` is the current step."""

    def __init__(self, review: Review) -> None:
        self.place = 0
        self._review = review
        self._marked = [n for n, step in enumerate(review.steps) if step.seq in review.findings]
        self._digits = ""
        self._notice = ""

    @property
    def prompt(self) -> str:
        """The typed digits, why the last key did nothing, and the keys."""
        typed = f"Go to move {self._digits}: press Enter" if self._digits else ""
        # A key and its meaning stay on one line: only the spaces between two of them may break.
        unbroken = "   ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in KEYS)
        keys = click.wrap_text(unbroken, max(width(), 20)).replace("\N{NO-BREAK SPACE}", " ")
        return "\n".join(part for part in (typed or self._notice, keys) if part)

    def press(self, key: str) -> bool:
        """Does what a key asks for; returns False for a key that quits."""
        self._notice = ""
        if key in _QUIT:
            return False
        if key.isascii() and key.isdigit():
            self._digits += key
            return True
        digits, self._digits = self._digits, ""
        place = self._go_to(int(digits)) if digits and key in _ENTER else self._next(key)
        self.place = max(0, min(len(self._review.steps) - 1, place))
        return True

    def _go_to(self, move: int) -> int:
        place = self._review.place(move)
        if place is None:
            self._notice = f"There is no move {move}; the last is {self._review.steps[-1].seq}."
        return self.place if place is None else place

    def _next(self, key: str) -> int:
        """The step after a key press."""
        if key in _FORWARD:
            return self.place + 1
        if key in _BACK:
            return self.place - 1
        if key in ("n", "p"):
            return self._finding(key)
        if key in _FIRST or key in _LAST:
            return 0 if key in _FIRST else len(self._review.steps) - 1
        return self.place + {"[": -10, "]": 10}.get(key, 0)

    def _finding(self, key: str) -> int:
        """The next or the previous step with a finding."""
        after = key == "n"
        places = [mark for mark in self._marked if (mark > self.place if after else mark < self.place)]
        if not places:
            self._notice = f"No {'later' if after else 'earlier'} findings."
            return self.place
        return places[0] if after else places[-1]
