"""Reads one line by the grammar: to its tree, or to an error in plain words.

Only this module needs lark.  It is loaded when the quick reader has no answer to a line.

Source: the grammar, `sheet.lark`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

import lark
import msgspec
from lark import Lark, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken

from ledger.notation.refusals import guess, nearest, quote, refusal
from ledger.notation.seats import Letters
from ledger.notation.tree import PIECE, Node, Token
from ledger.record.errors import NotARecord
from ledger.record.tiles import Tile

END = "$END"
HIGHEST = 12
"""The most pips of a half."""
HEADINGS = (
    "game",
    "edition",
    "players",
    "options",
    "played",
    "place",
    "event",
    "recorder",
    "rules",
    "squares",
    "by",
    "opened by",
)
"""The words before the colons in a heading."""

_PHRASES = {
    "LETTER": "a player's letter",
    "TILE": "a tile such as 5-1",
    "SQUARES": "two squares such as b2-c2",
    "POINT": "a column and a row of the record such as 0,5",
    "LEVEL": "a level such as L2",
    "NTH": "the number of an event",
    "NUMBER": "a number",
    "RANKING": "regular or reverse",
    "SIDE": "left or right",
    "ENDING": "finished or abandoned",
    "KEY": "a heading such as Game:",
    "TEXT": "a text",
    "WORD": "a word",
    "QUOTED": "a text in quotes",
    "MORE": "...",
    "NOBODY": "nobody",
}
"""Names for terminals that are not keywords, in the order of listing."""
_CHOICES = {
    "RANKING": ("regular", "reverse"),
    "SIDE": ("left", "right"),
    "ENDING": ("finished", "abandoned"),
    "NOBODY": ("nobody",),
    "TILE": tuple(map(str, Tile)),
}
"""Possible meanings of a terminal, to suggest after a typo."""
_SYNONYMS = {
    "KEY": {"date": "Played:", "day": "Played:", "location": "Place:", "venue": "Place:", "where": "Place:",
            "tournament": "Event:", "occasion": "Event:", "scorer": "Recorder:", "names": "Players:"},
    "_PASSES": {"knocks": "passes", "knock": "passes", "raps": "passes", "skips": "passes",
                "wins": "result:", "won": "result:"},
    "_RESULT": {"winner": "result:", "winners": "result:", "wins": "result:", "won": "result:"},
    "_RETRACT": {"undo": "retract", "delete": "retract", "remove": "retract", "cancel": "retract"},
    "_AMEND": {"amends": "amend", "change": "amend", "correct": "amend", "replace": "amend"},
    "_NOTE": {"comment": "note:", "remark": "note:", "//": "note:", "--": "note:", "*": "note:"},
    "_TOTAL": {"score": "total:", "scores": "total:", "points": "total:"},
    "_END": {"finish": "end finished", "finished": "end finished", "stop": "end abandoned",
             "abandoned": "end abandoned"},
    "_DRAWS": {"picks": "draws", "buys": "draws"},
    "_PLAYS": {"puts": "plays", "lays": "plays", "places": "plays"},
}  # fmt: skip
"""Other words that people type, and the words to write instead."""
_LOOSE_TILE = re.compile(r"([0-9]{1,2})\s*[-:.,/|\u2010-\u2013\u2212]\s*([0-9]{1,2})\b")
"""A tile with another character between its halves, or with blanks."""
_HEADING_ONLY = {"KEY", "_OPTIONS", "_PLAYERS", "_SQUARES", "_BY_ALL", "_OPENED_BY"}
_IMPLIED = {
    "SEQ": {"SEQ"},
    **{key: {"KEY"} for key in _HEADING_ONLY - {"KEY"}},
    "QUOTED": {"LETTER", "TEXT", "WORD"},
    "COLON": {"_PASSES"},
}
"""Terminals that an error does not list if one of these is accepted too."""


@cache
def parser() -> Lark:
    """The parser of the grammar, loaded from its table, or else built from the grammar itself."""
    table = msgspec.json.decode(files(__package__).joinpath("sheet.table.json").read_bytes())
    if table["lark"] != lark.__version__:  # another version may read tables in another way
        return built()
    automaton = table["data"]["parser"]["parser"]
    automaton["tokens"] = _numbered(automaton["tokens"])
    automaton["states"] = {state: _numbered(actions) for state, actions in _numbered(automaton["states"]).items()}
    load: Any = Lark._load_from_dict  # noqa: SLF001  the public one reads only pickles
    sheet_parser: Lark = load(table["data"], _numbered(table["memo"]))
    return sheet_parser


def _numbered(by_text: dict[str, Any]) -> dict[int, Any]:
    """The same by numbers, which JSON has turned into texts."""
    return {int(key): value for key, value in by_text.items()}


def source() -> str:
    """The text of the grammar."""
    return files(__package__).joinpath("sheet.lark").read_text("utf-8")


def built() -> Lark:
    """The parser, built from the grammar: that takes a tenth of a second."""
    return Lark(source(), parser="lalr", start="row", propagate_positions=True, maybe_placeholders=False)


def parse(line: str, number: int | None, letters: Letters, *, in_heading: bool = False) -> Node:
    """The tree of one line, which is line `number` of its sheet.

    `letters` has the letters of players whose names are written where a letter is expected; with `in_heading` it also
    helps to guess what was meant.  Raises NotARecord with line and column.
    """
    text = line
    while True:
        try:
            return tree(text)
        except UnexpectedInput as error:
            lettered = _lettered(error, text, letters)
            if lettered is None:
                raise _refusal(error, text, number, letters, in_heading=in_heading) from None
            text = lettered


def tree(line: str) -> Node:
    """The tree of one line in which letters name the players.  Raises UnexpectedInput."""
    return _node(parser().parse(line))


def _node(tree: Tree[lark.Token]) -> Node:
    """The same tree without lark."""
    children = (
        _node(child) if isinstance(child, Tree) else Token(child, child.type, child.column or 1)
        for child in tree.children
    )
    return Node(str(tree.data), tuple(children), tree.meta.column)


def _lettered(error: UnexpectedInput, line: str, letters: Letters) -> str | None:
    """The line with a letter in place of the name at an error, with the same columns; None if there is no name."""
    parser_state = getattr(error, "interactive_parser", None)
    if isinstance(error, UnexpectedToken) and error.token.type == END:
        return None
    begin = error.column - 1
    name = letters.longest_name(line, begin)
    if name is None or parser_state is None or "LETTER" not in parser_state.accepts():
        return None
    length, letter = name
    return f"{line[:begin]}{letter.ljust(length)}{line[begin + length :]}"


def _refusal(
    error: UnexpectedInput, line: str, number: int | None, letters: Letters, *, in_heading: bool
) -> NotARecord:
    parser_state = getattr(error, "interactive_parser", None)
    accepted: set[str] = parser_state.accepts() if parser_state else set()
    if not in_heading and "SEQ" in accepted:
        accepted -= _HEADING_ONLY
    if isinstance(error, UnexpectedToken) and error.token.type == END:
        text = line.rstrip()
        problem = "the line ends too early" if text else "nothing is written here"
        return refusal(f"{problem}: expected {_list_accepted(accepted)}", len(text) + 1, number)
    unread = line[error.column - 1 :]
    piece = PIECE.match(unread)
    word = piece[0] if piece else unread[:1]
    if word == '"':
        return refusal("this quotation mark opens a text that is never closed", error.column, number)
    if "QUOTED" in accepted and accepted <= {"QUOTED", "NTH", "COLON"} and word not in ('"', ":"):
        hint = guess(f'"{unread.strip()}"')
    elif accepted == {"NTH", "COLON"}:  # after `note`: the text, without its colon
        hint = guess(f"note: {unread.strip()[:37]}")
    else:
        hint = guess(_suggestion(word, unread[len(word) :], accepted, letters))
    if accepted == {END} and line[: error.column - 1].rstrip().endswith('"'):
        hint = ", since the text in quotes ends before it"
    return refusal(
        f"{quote(word)} is not understood here: expected {_list_accepted(accepted)}{hint}", error.column, number
    )


def _list_accepted(accepted: set[str]) -> str:
    """What is allowed here: ``a number, a tile such as 5-1 or nothing``."""
    listed = {name for name in accepted if not _IMPLIED.get(name, set()) & accepted} - {END}
    phrases = [phrase for name, phrase in _PHRASES.items() if name in listed]
    phrases += sorted((_spelled(name) for name in listed - _PHRASES.keys()), key=lambda word: (word[0] == '"', word))
    phrases += ["the end of the line"] if END in accepted else []
    return f"{', '.join(phrases[:-1])} or {phrases[-1]}" if len(phrases) > 1 else "".join(phrases)


def _spelled(terminal: str) -> str:
    """A keyword as written, or a punctuation mark in quotes."""
    if terminal.startswith("_"):
        return terminal[1:].lower()
    return f'"{parser().get_terminal(terminal).pattern.value}"'


def _suggestion(word: str, following: str, accepted: set[str], letters: Letters) -> str | None:
    """A suggestion for a word among everything accepted; `following` is the line after it."""
    loose = _LOOSE_TILE.match(word + following) if "TILE" in accepted else None
    if loose and max(map(int, loose.groups())) <= HIGHEST:
        return f"{loose[1]}-{loose[2]}"
    for name in accepted:
        if word.lower() in _SYNONYMS.get(name, ()):
            return _SYNONYMS[name][word.lower()]
    suggestions: dict[str, str] = {}
    for name in accepted - _HEADING_ONLY:
        if name.startswith("_"):
            spelled = _spelled(name)
            suggestions |= {spelled.removesuffix(end): spelled for end in ("es", "s", "")}
        elif name != "TILE" or any(map(str.isdigit, word)):
            suggestions |= {choice: choice for choice in _CHOICES.get(name, ())}
    if "KEY" in accepted and (following.lstrip().startswith(":") or word.lower() in HEADINGS):
        suggestions |= {key: f"{key.capitalize()}:" for key in HEADINGS}
    if "LETTER" in accepted:
        for letter, player in letters.players.items():
            player_name = player.name or player.id
            suggestions |= dict.fromkeys((player_name.lower(), player.id.lower()), f"{letter} for {player_name}")
    return suggestions.get(nearest(word, suggestions) or "")
