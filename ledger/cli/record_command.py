"""`record`: an interactive scorer, one line of the score sheet per move."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from ledger import notation
from ledger.audit.report_in_a_sentence import summary
from ledger.audit.reports import MARKS
from ledger.audit.review import Review
from ledger.audit.slip.causes import WHY, Repair
from ledger.audit.slip.slip_search import causes
from ledger.cli.exits import FAULT, REFUSED
from ledger.cli.ledger_access import answer_to, ledger_at, resolve, sentence
from ledger.cli.list_commands import correction_lines, frame
from ledger.cli.terminal import echo, wrapped
from ledger.games.catalog import find
from ledger.keep.recorder import Recorder, now
from ledger.keep.stored_audits import audit_in
from ledger.record import codec
from ledger.record.errors import LedgerError, NotARecord, NotForNow, every
from ledger.record.event_words import in_words
from ledger.record.events import Amend, AnyEvent, Bid, Close, Insert, Note, Retract
from ledger.record.squares import Squares
from ledger.record.words import did_you_mean
from ledger.rules.game import Finding, Judged

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession


HELP = """  note: Tea.                    a note
  undo                          take back what was done last, a correction too
  redo                          record it again
  amend N LINE because WHY      change move N
  insert N LINE because WHY     insert a forgotten move before move N
  retract N because WHY         delete move N
  show                          draw the table
  history                       show the corrections
  audit                         show every mistake so far, and what would explain them
  fix [N]                       make the correction that `audit` proposes first, or its Nth
  help                          show this help
  quit                          leave; the record stays open"""
AFTER_END = "record.after-end"
_MOST_HELP = 60
"""The most columns of a line in the help."""
_SHORT = re.compile(r"(amend|insert)\s+(?:before\s+)?([0-9]+)\s*:?\s*(\S.*)", re.IGNORECASE)
"""Corrections in short form; the sheet needs a colon and, for an insert, `before`."""


@click.command("record")
@click.argument("record", required=False)
@click.option("--by", help="Your name, as the recorder.")
@click.pass_obj
def record_(path: str, record: str | None, by: str | None) -> None:
    """Record a game at the keyboard, one line per move: RECORD, or the newest one.

    A move against the rules is recorded and reported at once.  Moves that cannot be judged yet, because hands are
    hidden, are reported at the end.  Tab completes legal moves.  The letter of the player whose turn it is may be left
    out.  What no table could have shown, such as a tile that lies there already, is recorded only if you say so.  If
    lines come from a pipe and one of them cannot be read, the others are recorded, and the exit status is 2.

    \b
    Example:
      domino-ledger record "$(domino-ledger new build-up Ana Ben)"
    """
    with ledger_at(path) as store:
        ids = store.ids()
        if record is None and not ids:
            if store.loss():
                raise click.ClickException("no records are left: `domino-ledger restore` a backup")
            raise click.ClickException("the ledger is empty: begin a game with `domino-ledger new`")
        scorer = Scorer(Recorder(store, find_game=find), resolve(store, record) if record else ids[-1], by)
        scorer.greet()
        for line in _lines(scorer):
            if not scorer.take(line.strip()):
                break


def _lines(scorer: Scorer) -> Iterator[str]:
    if not sys.stdin.isatty():
        yield from sys.stdin
        return
    read_line = _keyboard(scorer)
    while True:
        try:
            yield read_line()
        except (EOFError, KeyboardInterrupt):
            return


def _keyboard(scorer: Scorer) -> Callable[[], str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter

    session: PromptSession[str] = PromptSession()
    words = WordCompleter(lambda: scorer.possible(session.default_buffer.text), sentence=True, ignore_case=True)
    return lambda: session.prompt(scorer.prompt, completer=words, complete_while_typing=False)


class Scorer:
    """A session with a record: reads lines, records them, and prints findings."""

    def __init__(self, recorder: Recorder, record_id: str, by: str | None) -> None:
        self.recorder, self.id, self.by = recorder, record_id, by
        self.squares: Squares | None = None
        self.review = self._read()
        # People may be typing from paper, so squares keep their names wherever the next tile lies.
        self.squares = self.review.squares
        self.known = self._keys()
        self.undone = list[list[tuple[int, AnyEvent]]]()
        """What `redo` records again: each has the events that did it, with their seqs; the latest last."""
        self.moved = dict[int, int]()
        """The new seq of what was taken back and recorded again."""
        self._unread = ""
        """What was typed instead of an answer."""
        self.asks = sys.stdin.isatty()
        """Whether a person is at the keyboard, who can type a refused line again."""

    def _read(self) -> Review:
        return Review(self.recorder.store.read(self.id), self.id, squares=self.squares)

    def _keys(self) -> set[tuple[int, str, str]]:
        return {_key(finding) for finding in self.review.report.findings}

    @property
    def turns(self) -> list[str]:
        """The ids of the players who may act now."""
        names, seats = self.review.names, self.review.scene().seats
        return [id_ for id_, seat in zip(names, seats, strict=True) if seat.turn or len(names) == 1]

    @property
    def prompt(self) -> str:
        """The number of the next move, and the player to act."""
        names = [self.review.names[id_] for id_ in self.turns]
        return f"{len(self.review.steps)} {' / '.join(names)}> "

    def possible(self, text: str = "") -> list[str]:
        """The legal moves as lines, and the commands.  After a text that names no player, no line names one either."""
        choices = self.review.game.choices(self.review.steps[-1].after) if self.review.game.choices else ()
        lines = [notation.write_event(choice, self.review.record, self.review.squares) for choice in choices]
        if len(self.turns) == 1 and text and not any(line.casefold().startswith(text.casefold()) for line in lines):
            lines = [line.partition(" ")[2] for line in lines]
        return [*lines, *_COMMANDS, "amend ", "insert ", "retract ", "quit"]

    def greet(self) -> None:
        """Prints the game and the players' letters."""
        names = self.review.names
        players = ", ".join(f"{letter} {names[id_]}" for letter, id_ in notation.letters(self.review.record).items())
        echo(f"{self.id}: {self.review.game.title}, {players}.  Type `help` for help.")

    def take(self, line: str) -> bool:
        """Runs a line, and those typed instead of an answer; returns False for quit."""
        goes_on = self._run(line)
        while goes_on and self._unread:
            line, self._unread = self._unread, ""
            goes_on = self._run(line)
        return goes_on

    def _run(self, line: str) -> bool:
        word, _, rest = line.partition(" ")
        word = word.lower()
        if word in ("quit", "exit", "q"):
            return False
        try:
            if word in _COMMANDS:
                _COMMANDS[word](self, rest.strip())
            elif line and not line.startswith("#"):
                self.record_line(line)
        except LedgerError as error:
            for problem in every(error):
                echo(f"  ? {sentence(problem)}{_commands(word) if _is_at_start(problem) else ''}", err=not self.asks)
            if not self.asks:
                click.get_current_context().meta[FAULT] = REFUSED
        return True

    def undo(self, rest: str) -> None:
        """Takes back what was done last.  Raises NotForNow for anything behind the word, as `redo` does."""
        _require_alone("undo", rest)
        undo = self.recorder.undo(self.id, by=self.by)
        events = self.recorder.store.read(self.id).events
        self.undone.append([(seq, events[seq]) for seq in undo.seqs])
        for seq, correction in enumerate(undo.corrections, len(events) - len(undo.corrections)):
            if isinstance(correction, Insert):
                self.moved[correction.before] = seq
        last = undo.corrections[-1]
        if isinstance(last, Retract):
            echo(f"  {self.review.called(last.seq)} deleted")
        self.tell(quiet=isinstance(last, Retract))

    def redo(self, rest: str) -> None:
        """Records again what `undo` took back, unless something else has been recorded since."""
        _require_alone("redo", rest)
        if not self.undone:
            raise NotForNow("there is nothing to redo")
        for seq, event in self.undone[-1]:
            again = event
            while isinstance(again, Retract | Amend) and again.seq in self.moved:
                again = replace(again, seq=self.moved[again.seq])
            self.moved[seq] = self.recorder.append(self.id, again, by=self.by) - 1
        self.undone.pop()
        self.tell()

    def record_line(self, line: str) -> None:
        """Records a line of the score sheet."""
        short = _SHORT.fullmatch(line)
        if short:
            before = "before " if short[1].lower() == "insert" else ""
            line = f"{short[1]} {before}{short[2]}: {short[3]}"
        record = self.review.record
        turn = self.turns[0] if len(self.turns) == 1 else None
        try:
            event = notation.read_line(line, record, len(self.review.steps), self.review.squares, turn)
        except NotARecord as error:
            self._with_letter(line, error)
            raise
        event = _about(event, self._seq_of)
        if not self.is_meant(event):
            echo("  not recorded")
            return
        if isinstance(event, Retract | Amend | Insert):
            self.recorder.correct(self.id, event, by=self.by)
        else:
            self.recorder.append(self.id, event, by=self.by)
        self.undone.clear()
        self.tell()

    def _seq_of(self, move: int) -> int:
        """The seq of the move with that number.  Raises NotForNow if there is none."""
        if move >= len(self.review.steps):
            raise NotForNow(f"there is no move {move}; the last is {len(self.review.steps) - 1}")
        return self.review.steps[move].seq

    def _with_letter(self, line: str, error: NotARecord) -> None:
        """Raises what is wrong with a refused line once it has the letter of a player, if that says more.

        If nothing else was wrong, it raises NotForNow.
        """
        if not _is_at_start(error):
            return
        letter = next(iter(notation.letters(self.review.record)))
        try:
            notation.read_line(f"{letter} {line}", self.review.record, squares=self.review.squares)
        except NotARecord as lettered:
            column = int((lettered.field or "").removeprefix("column ") or 0) - len(f"{letter} ")
            if column > 1:
                raise NotARecord(lettered.reason, field=f"column {column}") from None
        else:
            raise NotForNow(f"whose move is it? Begin with a letter, such as `{letter} {line}`")

    def is_meant(self, event: AnyEvent) -> bool:
        """Whether to record an event.  Asks a person at the keyboard about what no table could have shown, about the
        end of a game that is not over or what follows the end, and about a bid for more than there is.
        """
        if not self.asks:
            return True
        record = codec.check((*self.review.record.events, event))
        review = Review(record, self.id, squares=self.squares)
        strange = [
            finding
            for finding in review.judged
            if _key(finding) not in self.known
            and (
                finding.verdict == "impossible"
                or finding.clause == AFTER_END
                or (type(event) is Close and finding.verdict == "breach")
                or (type(event) is Bid and finding.verdict == "note")
            )
        ]
        for finding in strange:
            echo(f"  {MARKS[finding.verdict]} {review.message(finding)}.")
        return not strange or self._is_sure()

    def _is_sure(self) -> bool:
        """Whether the person answers yes.  Ctrl+C means no; any other line does, too, and is the next one."""
        try:
            answer = answer_to("  Record it anyway? [y/N]: ").strip()
        except click.Abort:
            echo("")
            return False
        if answer.lower() not in ("y", "yes", "n", "no", ""):
            self._unread = answer
        return answer.lower() in ("y", "yes")

    def show(self, _rest: str) -> None:
        """Draws the table."""
        echo("\n".join(frame(self.review, len(self.review.steps) - 1)))

    def history(self, _rest: str) -> None:
        """Prints the corrections."""
        echo("\n".join(wrapped(correction_lines(self.review))))

    def audit(self, _rest: str) -> None:
        """Prints every finding so far, including those that later moves may settle."""
        for finding in self.review.judged:
            self._print(finding)
        if not self.review.report.findings:
            echo("  nothing breaks the rules")
        for number, repair in enumerate(self._repairs(), 1):
            echo(f"  fix {number}: {repair.message}")

    def fix(self, rest: str) -> None:
        """Makes a correction that would explain findings, with its reason; `undo` takes it back."""
        repairs, number = self._repairs(), int(rest) if rest.isdecimal() else 1
        if not repairs:
            raise NotForNow("no single correction explains a mistake: use amend, insert or retract")
        if not 0 < number <= len(repairs):
            raise NotForNow(f"there is no proposal {rest}; there are {len(repairs)}")
        when = now()  # what was recorded together is undone together
        if repairs[number - 1].choices or repairs[number - 1].is_example:
            raise NotForNow("nobody knows what was forgotten: insert it as it was played")
        for correction in repairs[number - 1].made():
            self.recorder.correct(self.id, correction.because(WHY, when=when), by=self.by)
        self.undone.clear()
        self.tell()

    def _repairs(self) -> tuple[Repair, ...]:
        """The proposals for the gravest cause that has any."""
        return next((cause.repairs for cause in causes(self.review) if cause.repairs), ())

    def help(self, _rest: str) -> None:
        """Prints the lines of this game, and the commands."""
        letter = next(iter(notation.letters(self.review.record)))
        echo(f"A line is a move as on the score sheet.  On {letter}'s turn the {letter} may be left out.")
        for line in examples(self.review):
            echo(f"  {line}")
        echo(HELP)

    def tell(self, *, quiet: bool = False) -> None:
        """Prints the recorded event, the new findings, and the scores."""
        before, self.review = self.review, self._read()
        review = self.review
        with suppress(LedgerError):  # if it cannot be stored now, the next `list` does that
            self.recorder.store.note_audits([audit_in(review)])
        last = review.record.events[-1]
        if not quiet:
            place = review.place(len(review.record.events) - 1)
            number = "" if place is None else f"{place}  "
            numbered = _about(last, lambda seq: before.place(seq) or seq)
            echo(f"  {number}{in_words(numbered, review.names, review.squares)}")
        over = isinstance(last, Close)
        if over:
            echo(f"  {summary(review)}")
        for finding in review.judged:
            # What is unproven waits for the end: later moves settle most of it.
            if over if finding.verdict == "unproven" else _key(finding) not in self.known:
                self._print(finding)
        self.known = self._keys()
        standing = review.standing()
        scores = ", ".join(f"{n} {s}" for n, s in zip(review.names.values(), standing.shown, strict=True))
        echo(f"  {scores}; {review.named(review.scene().status)}")

    def _print(self, finding: Judged) -> None:
        mark = f"{MARKS[finding.verdict]} {finding.verdict} at {self.review.called(finding.seq)}"
        echo(f"  {mark}: {self.review.message(finding)}.")
        echo(f"    {finding.clause}: {self.review.meaning(finding.clause)}")


def examples(review: Review) -> Iterator[str]:
    """A line for each kind of act and claim of the game, out of a simulated game with the letters of these players."""
    from ledger.play.simulate import simulate

    opening = review.record.opening
    try:
        record = simulate(review.game, 1, players=len(opening.players), edition=opening.edition)
    except LedgerError:  # a game that cannot be simulated
        return
    players = (
        replace(simulated, name=player.name)
        for simulated, player in zip(record.opening.players, opening.players, strict=True)
    )
    renamed = replace(record.opening, players=tuple(players))
    kinds = set[type]()
    for event in record.events[1:]:
        if type(event) not in kinds:
            kinds.add(type(event))
            yield shorten(notation.write_event(event, renamed), _MOST_HELP, placeholder=" …")


def _require_alone(word: str, rest: str) -> None:
    if rest:
        raise NotForNow(f"{word!r} goes one step at a time: write it alone, once for each step")


def _is_at_start(error: Exception) -> bool:
    return isinstance(error, NotARecord) and error.field == "column 1"


def _commands(word: str) -> str:
    """The commands, and the one that was probably meant."""
    commands = [*_COMMANDS, "quit"]
    return f"; or a command: {', '.join(commands)}{did_you_mean(word, commands)}"


def _about(event: AnyEvent, number: Callable[[int], int]) -> AnyEvent:
    """A correction or a remark about another event, with that one's number changed; any other event as it is."""
    field = "before" if isinstance(event, Insert) else "about" if isinstance(event, Note) else "seq"
    about = getattr(event, field, None)
    return event if about is None else replace(event, **{field: number(about)})


def _key(finding: Finding) -> tuple[int, str, str]:
    return finding.seq, finding.clause, finding.message


_COMMANDS: dict[str, Callable[[Scorer, str], Any]] = {
    "undo": Scorer.undo,
    "redo": Scorer.redo,
    "show": Scorer.show,
    "history": Scorer.history,
    "audit": Scorer.audit,
    "fix": Scorer.fix,
    "help": Scorer.help,
}
