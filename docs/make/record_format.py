"""The parts of `docs/record-format.md` that are made from the code: fields, games, options, clauses, a test vector.

The page keeps them between comments, so that it is whole in the repository too.  `tests/test_made_pages.py`
fails where they differ from the code, and writes them anew with ``--golden-update``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, get_args

import msgspec
import pages
from msgspec import inspect

from ledger.audit.review import clauses
from ledger.games import catalog
from ledger.record import chain, codec
from ledger.record.events import (
    CLAIMS,
    EVENTS,
    Amend,
    AnyEvent,
    Confirm,
    Date,
    Draw,
    Event,
    Note,
    Open,
    Player,
    When,
    kind,
)
from ledger.record.record import Record
from ledger.record.tiles import named
from ledger.rules.game import Clause, Game, Option
from ledger.rules.shared_clauses import RECORD_CLAUSES

_BLOCK = re.compile(r"(?<=<!-- made from the code: )(\w+) -->\n.*?(?=<!-- end -->)", re.DOTALL)


def filled(page: str) -> str:
    """The page with each of its parts as the code has it now."""
    return _BLOCK.sub(lambda block: f"{block[1]} -->\n\n{PARTS[block[1]]()}\n\n", page)


def parts(page: str) -> list[str]:
    """The names of the parts that the page has."""
    return _BLOCK.findall(page)


# ── Fields ──────────────────────────────────────────────────────────────────────────────────────────────────


def fields() -> str:
    """The table of what fields can hold; a field that differs between types of events names them."""
    where: dict[str, dict[str, list[str]]] = {}
    for event in EVENTS:
        for field in struct(event).fields:
            where.setdefault(field.name, {}).setdefault(described(field.type), []).append(kind(event))
    for field in struct(Player).fields:
        where.setdefault(field.name, {}).setdefault(described(field.type), []).append("a player")
    rows: dict[str, list[str]] = {}
    for name, values in where.items():
        for value, types in values.items():
            some = f" (in {', '.join(f'`{type_}`' for type_ in types)})" if len(values) > 1 else ""
            rows.setdefault(value, []).append(f"`{name}`{some}")
    fields_and_values = table(("field", "value"), [(", ".join(rows[value]), value) for value in sorted(rows)])
    patterns = "; ".join(f"{name} matches `{pattern}`" for pattern, name in PATTERNS.items())
    return f"{fields_and_values}\n\n{patterns[0].upper()}{patterns[1:]}."


def portable(pattern: str) -> str:
    r"""A pattern as other languages write it: Python's ``\Z`` is their ``$``."""
    return pattern.replace(r"\Z", "$")


PATTERNS = {portable(get_args(type_)[1].pattern): name for type_, name in ((Date, "a day"), (When, "a time"))}
"""By its pattern, what a text is called."""


def struct(of: type[msgspec.Struct]) -> inspect.StructType:
    """What msgspec knows about a type."""
    info = inspect.type_info(of)
    assert isinstance(info, inspect.StructType)  # noqa: S101  events and players are structs
    return info


def described(value: inspect.Type) -> str:
    """What a value can be, in words.  Raises KeyError for a kind of value that no field has yet."""
    return _DESCRIBED[type(value)](value)


def _text(value: Any) -> str:
    if value.pattern:
        return PATTERNS[portable(value.pattern)]
    if value.max_length is None:
        return "text"
    least = f"{value.min_length} to" if value.min_length else "at most"
    return f"text of {least} {value.max_length} characters"


def _number(value: Any) -> str:
    return f"a whole number from {value.ge} to {value.le}"


def _object(value: Any) -> str:
    return f"an object: each name is {described(value.key_type)}, each value is {described(value.value_type)}"


def _either(value: Any) -> str:
    types = [type_ for type_ in value.types if not isinstance(type_, inspect.NoneType)]
    if all(isinstance(type_, inspect.StructType) for type_ in types):
        without = sorted({kind(event) for event in EVENTS} - {str(type_.tag) for type_ in types})
        return f"an event of any type but {', '.join(f'`{tag}`' for tag in without)}"
    words = [described(type_) for type_ in types]
    # `null` is a value of its own among several; where there is one other, the field may be left out.
    return f"one of these: {'; '.join(words)}; `null`" if len(words) > 1 else words[0]


def _list(value: Any) -> str:
    least = f"{value.min_length} to " if value.min_length else "at most "
    most = f"{least}{value.max_length} items" if value.max_length else "any number of items"
    return f"a list of {most}, each {described(value.item_type)}"


_DESCRIBED: dict[type[inspect.Type], Callable[[Any], str]] = {
    inspect.StrType: _text,
    inspect.IntType: _number,
    inspect.BoolType: lambda _value: "`true` or `false`",
    inspect.EnumType: lambda _value: "a tile",
    inspect.LiteralType: lambda value: ", ".join(f'`"{word}"`' for word in value.values),
    inspect.DictType: _object,
    inspect.StructType: lambda _value: "a player",
    inspect.UnionType: _either,
    inspect.VarTupleType: _list,
    inspect.TupleType: lambda value: f"a list of {len(value.item_types)} items, each {described(value.item_types[0])}",
}


# ── Games ───────────────────────────────────────────────────────────────────────────────────────────────────


def shipped() -> list[Game[Any]]:
    """The games that come with Domino Ledger, by their tags."""
    return [catalog.find(name) for name in sorted(catalog.built_in())]


def games() -> str:
    """The table of games: who plays, which editions and revisions there are, which acts and claims they have."""
    rows = [
        (
            f"`{game.name}`",
            game.seats,
            listed(game.editions) or "none",
            listed(known.revision for known in game.revisions),
            ", ".join(f"`{kind(event)}`" for event in game.events if event not in CLAIMS),
            ", ".join(claim(game, event) for event in game.events if event in CLAIMS),
        )
        for game in shipped()
    ]
    return table(("`game`", "players", "`edition`", "`rules`", "acts", "claims"), rows)


def claim(game: Game[Any], event: type[Event]) -> str:
    """A claim of a game; a score with its scopes."""
    scopes = f" of a {' or '.join(game.scores)}" if kind(event) == "score" else ""
    return f"`{kind(event)}`{scopes}"


def listed(words: Iterable[str]) -> str:
    """Texts as they are written in JSON, in a row."""
    return ", ".join(f'`"{word}"`' for word in words)


def options() -> str:
    """A table of options for each game, with values as they are written in JSON."""
    return "\n\n".join(f"### Options of {game.title}\n\n{option_table(game.options)}" for game in shipped())


def option_table(known: Iterable[Option]) -> str:
    """A row for each option: its kind, its default, the other values."""
    rows = []
    for option in known:
        default, *others = [f"`{json.dumps(value)}`" for value in option.values]
        accepted = option.accepts.replace("none", "`null`").replace("a player", "the id of a player")
        rows.append(
            (
                f"`{option.name}`",
                option.kind,
                default,
                accepted or ", ".join(others),
                option.meaning.replace("|", "\\|"),
            )
        )
    return table(("option", "kind", "default", "other values", "meaning"), rows)


def clause_ids() -> str:
    """The clauses of all games, then those of each."""
    by_game = {game.title: unique(game) for game in shipped()}
    shared = {id_: row for known in by_game.values() for id_, row in known.items() if not own(id_)}
    # A game may word them in its own way; these are the words that hold for all games.
    shared |= {clause.id: (clause.meaning, pages.verdict([clause])) for clause in RECORD_CLAUSES}
    sections = [clause_section("Clauses that games share", shared)]
    for title, known in by_game.items():
        sections.append(clause_section(f"Clauses of {title}", {id_: known[id_] for id_ in known if own(id_)}))
    return "\n\n".join(sections)


def own(id_: str) -> bool:
    """Whether a clause is of one game only."""
    return not id_.startswith(("record.", "tiles."))


def unique(game: Game[Any]) -> dict[str, tuple[str, str]]:
    """By its id, the meaning and the verdict of each clause in any revision of a game, in order."""
    known: dict[str, list[Clause[Any]]] = {}
    for revision in game.revisions:
        for clause in clauses(revision):
            known.setdefault(clause.id, []).append(clause)
    return {
        id_: (
            " ".join(dict.fromkeys(clause.meaning for clause in same)),
            pages.verdict(same),
        )
        for id_, same in sorted(known.items())
    }


def clause_section(heading: str, known: dict[str, tuple[str, str]]) -> str:
    """A heading and the table of these clauses."""
    rows = [(f"`{id_}`", meaning, verdict) for id_, (meaning, verdict) in known.items()]
    return f"### {heading}\n\n{table(('clause', 'meaning', 'verdict'), rows)}"


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(re.sub(r" +", " ", f"| {' | '.join(line)} |") for line in lines)


# ── The test vector ─────────────────────────────────────────────────────────────────────────────────────────


def example() -> Record:
    """A record with everything that the chain leaves out, and with characters that need care."""
    ana, ben = Player(id="ana", name="Ana"), Player(id="ben", name="Ben")
    opening = Open("build-up", players=(ana, ben), played="2026-11-20", recorder="Cy", by="Cy")
    renamed = Open("build-up", players=(Player(id="ana", name="Zoë"), ben), played="2026-11-20", by="Cy")
    first: list[AnyEvent] = [
        opening,
        Draw("ben", named("6-4"), when="2026-11-20T19:30:00Z", by="Cy"),
        Note('Zoë says "draw \\ again"\n\x1b🁡', by="Zoë"),
        Amend(0, renamed, "a name", by="Ben"),
    ]
    head = chain.record_digest(first).hex()
    return codec.check([*first, Confirm("ana", head, by="Zoë"), Confirm("ben", head)])


def vector() -> str:
    """The example: its text, what is hashed of each event, each link, and the fingerprint step by step."""
    record = example()
    bodies = [chain.chained_bytes(event) for event in record.events]
    links = chain.links(bodies)
    hashed = b"\n".join(bodies).decode()
    rows = [
        (str(seq), str(len(body)), f"`{link.hex()}`")
        for seq, (body, link) in enumerate(zip(bodies, links, strict=True))
    ]
    first, second = map(len, bodies[:2])
    words = f"""The first link is the SHA-256 of {32 + first} bytes: 32 zero bytes, then {first} bytes of text,
`{bodies[0][:12].hex(" ")} …`. The second is the SHA-256 of {32 + second} bytes: the 32 bytes of the first link,
`{links[0][:4].hex(" ")} … {links[0][-2:].hex(" ")}`, then {second} bytes of text."""
    sections = (
        f"The record:\n\n```json\n{codec.encode_lines(record).decode()}```",
        "The text that is hashed of each event, one per line:",
        f"<!-- file: hashed.txt -->\n```text\n{hashed}\n```",
        f"The links:\n\n{table(('seq', 'bytes of text', 'link'), rows)}",
        words,
        letters(chain.record_digest(record.events)),
    )
    return "\n\n".join(sections)


def letters(digest: bytes) -> str:
    """How a digest becomes a fingerprint, step by step."""
    bits = f"{int.from_bytes(digest, 'big'):0256b}"
    groups = [bits[place : place + 5] for place in range(0, 20, 5)]
    numbers = [int(group, 2) for group in groups]
    return f"""The last two events are confirmations, so the record digest is the link of event 3:

- digest: `{digest.hex()}`
- its first 100 bits, in hexadecimal: `{digest.hex()[:25]}`
- in groups of five: `{" ".join(groups)} …`, which are {", ".join(map(str, numbers))} …
- as letters: `{"".join(chain.ALPHABET[number] for number in numbers)}…`
- fingerprint: `{chain.fingerprint(digest)}`"""


PARTS: dict[str, Callable[[], str]] = {
    "fields": fields,
    "games": games,
    "options": options,
    "clauses": clause_ids,
    "vector": vector,
}
"""By its name on the page, what makes a part."""
