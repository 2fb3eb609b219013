"""`record`: an interactive scorer, one line of the score sheet for each move."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import click

from ledger import notation
from ledger.catalog import find
from ledger.cli.common import ledger_at, resolve
from ledger.cli.look import frame
from ledger.errors import LedgerError, NotForNow
from ledger.events import Correctable, Retract
from ledger.game import Finding
from ledger.notation.writer import letter
from ledger.recorder import Recorder
from ledger.reports import MARKS, detail
from ledger.review import Review

HELP = """A line is a move as on the score sheet: `A 5-1 on 4`, `B pass`, `C takes 6`, `hand A 12, B 9`, `note: Tea.`
  undo                    takes back the last
  amend N LINE [: why]    event N, as it really was
  insert N LINE [: why]   forgotten, before event N
  retract N [: why]       event N never happened
  show                    the table
  help                    this
  quit                    leaves; the record stays open"""


@click.command("record")
@click.argument("record", required=False)
@click.option("--by", help="Who records.")
@click.pass_obj
def record_(path: str, record: str | None, by: str | None) -> None:
    """Go on with RECORD (the newest, if none is named) at the keyboard: a line for each move, judged at once.

    What the table did is what is recorded: a breach is said with its clause, and stays.  Tab completes legal moves.

    \b
    Example:
      domino-ledger record "$(domino-ledger new build-up Ana Ben)"
    """
    with ledger_at(path) as store:
        ids = store.ids()
        if record is None and not ids:
            raise click.ClickException("the ledger is empty: `domino-ledger new` opens a record")
        scorer = Scorer(Recorder(store, find_game=find), resolve(store, record) if record else ids[-1], by)
        scorer.greet()
        for line in _lines(scorer):
            if not scorer.take(line.strip()):
                break


def _lines(scorer: Scorer) -> Iterator[str]:
    """What is typed; with completion and a history where there is a keyboard."""
    if not sys.stdin.isatty():
        yield from sys.stdin
        return
    read = _keyboard(scorer)
    while True:
        try:
            yield read()
        except (EOFError, KeyboardInterrupt):
            return


def _keyboard(scorer: Scorer) -> Callable[[], str]:
    from prompt_toolkit import PromptSession  # noqa: PLC0415  only for a keyboard
    from prompt_toolkit.completion import WordCompleter  # noqa: PLC0415

    session: PromptSession[str] = PromptSession()
    words = WordCompleter(scorer.possible, sentence=True, ignore_case=True)
    return lambda: session.prompt(scorer.prompt, completer=words, complete_while_typing=False)


class Scorer:
    """One sitting at a record: takes lines, records them, and says what the rules say."""

    def __init__(self, recorder: Recorder, record_id: str, by: str | None) -> None:
        self.recorder, self.id, self.by = recorder, record_id, by
        self.review = self._read()
        self.known = self._grave()

    def _read(self) -> Review:
        return Review(self.recorder.store.read(self.id), self.id)

    def _grave(self) -> set[tuple[int, str, str]]:
        return {_key(finding) for finding in self.review.report.findings}

    @property
    def ids(self) -> tuple[str, ...]:
        """The players by seat."""
        return self.review.opening.players

    @property
    def prompt(self) -> str:
        """The seq that comes next, and whose turn it is."""
        turns = [
            name for name, seat in zip(self.review.opening.names, self.review.scene().seats, strict=True) if seat.turn
        ]
        return f"{len(self.review.record.events)} {' / '.join(turns)}> "

    def possible(self) -> list[str]:
        """The legal moves now, as lines, and the commands."""
        choices = self.review.game.choices(self.review.steps[-1].after)
        lines = [notation.write_event(choice, self.ids) for choice in choices]
        return [*lines, "undo", "amend ", "insert ", "retract ", "show", "help", "quit"]

    def greet(self) -> None:
        """Who plays what, with which letter."""
        players = ", ".join(f"{letter(n)} {name}" for n, name in enumerate(self.review.opening.names))
        click.echo(f"{self.id}: {self.review.game.title}, {players}.  `help` tells what can be typed.")

    def take(self, line: str) -> bool:
        """Does what a line says; False when it says to leave."""
        word, _, rest = line.partition(" ")
        word = word.lower()
        if word in ("quit", "exit", "q"):
            return False
        try:
            if word in _COMMANDS:
                _COMMANDS[word](self, rest.strip())
            elif line and not line.startswith("#"):
                self.recorder.append(self.id, notation.read_line(line, self.ids), by=self.by)
                self.tell()
        except LedgerError as error:
            click.echo(f"  ? {error}")
        return True

    def undo(self, _rest: str) -> None:
        """Takes back the last act or claim."""
        seq = self.recorder.undo(self.id, by=self.by)
        click.echo(f"  event {seq} is taken back")
        self.tell(quiet=True)

    def amend(self, rest: str) -> None:
        """Amends an event."""
        seq, event, why = self._correction(rest)
        self.recorder.amend(self.id, seq, event, why, by=self.by)
        self.tell()

    def insert(self, rest: str) -> None:
        """Inserts a forgotten event."""
        seq, event, why = self._correction(rest)
        self.recorder.insert(self.id, seq, event, why, by=self.by)
        self.tell()

    def retract(self, rest: str) -> None:
        """Takes back an event by its seq."""
        number, _, why = rest.partition(":")
        self.recorder.correct(self.id, Retract(_seq(number), why.strip() or "a slip"), by=self.by)
        self.tell()

    def _correction(self, rest: str) -> tuple[int, Correctable, str]:
        number, _, line = rest.partition(" ")
        line, _, why = line.partition(" : ")
        event = notation.read_line(line.strip(), self.ids)
        return _seq(number), event, why.strip() or "a slip"  # type: ignore[return-value]  # the recorder refuses others

    def show(self, _rest: str) -> None:
        """Draws the table."""
        click.echo("\n".join(frame(self.review, len(self.review.steps) - 1)))

    def help(self, _rest: str) -> None:
        """Tells what can be typed."""
        click.echo(HELP)

    def tell(self, *, quiet: bool = False) -> None:
        """Says what was recorded, what the rules say that they did not say before, and how the game stands."""
        self.review = self._read()
        review = self.review
        last = review.record.events[-1]
        if not quiet:
            from ledger.words import in_words  # noqa: PLC0415  only for people

            click.echo(f"  {len(review.record.events) - 1}  {in_words(last, review.names)}")
        for finding in review.report.findings:
            if _key(finding) not in self.known:
                mark = f"{MARKS[finding.verdict]} {finding.verdict} at {finding.seq}"
                click.echo(f"  {mark}: {review.named(finding.message + detail(finding))}")
                click.echo(f"    {finding.clause}: {review.meaning(finding.clause)}")
        self.known = self._grave()
        standing = review.standing()
        scores = ", ".join(f"{n} {s}" for n, s in zip(review.opening.names, standing.scores, strict=True))
        click.echo(f"  {scores}; {review.named(review.scene().status)}")


def _key(finding: Finding) -> tuple[int, str, str]:
    return finding.seq, finding.clause, finding.message


def _seq(text: str) -> int:
    if not text.strip().isdigit():
        raise NotForNow("name the event by its number: amend 17 B 5-3 on 4")
    return int(text)


_COMMANDS: dict[str, Callable[[Scorer, str], Any]] = {
    "undo": Scorer.undo,
    "amend": Scorer.amend,
    "insert": Scorer.insert,
    "retract": Scorer.retract,
    "show": Scorer.show,
    "help": Scorer.help,
}
