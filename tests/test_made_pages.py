"""The pages that are made from the code say what the code says: the record format and the manual page."""

import json
import re
import sys
from pathlib import Path

import pytest

from ledger.audit.review import clauses
from ledger.games import catalog
from ledger.record import codec
from ledger.record.events import ACTS, CLAIMS, EVENTS, Play, kind
from ledger.record.tiles import named

DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS / "make"))

import man  # noqa: E402  beside the pages
import record_format  # noqa: E402

FORMAT = DOCS / "record-format.md"
MADE = {
    FORMAT: lambda: record_format.filled(FORMAT.read_text("utf-8")),
    man.PAGE: man.manual,
}
"""Each page, and how it is made."""


@pytest.mark.parametrize("page", MADE, ids=lambda page: page.name)
def test_a_page_is_as_the_code_makes_it(page: Path, golden_update: bool) -> None:
    made = MADE[page]()
    if golden_update:
        page.write_text(made, "utf-8")
    assert page.read_text("utf-8") == made, f"{page.name}: pytest tests/test_made_pages.py --golden-update makes it"


def test_the_page_of_the_format_has_every_part_every_option_with_its_values_and_every_clause() -> None:
    text = FORMAT.read_text("utf-8")
    assert sorted(record_format.parts(text)) == sorted(record_format.PARTS)
    for name in catalog.built_in():
        for game in catalog.find(name).revisions:
            section = text.partition(f"### Options of {game.title}\n")[2].partition("\n#")[0]
            for option in game.options:
                row = next(line for line in section.splitlines() if line.startswith(f"| `{option.name}` |"))
                values = option.values[:1] if option.accepts else option.values
                assert all(f"`{json.dumps(value)}`" in row for value in values), row
            for clause in clauses(game):
                assert f"\n| `{clause.id}` |" in text


def rows() -> dict[str, list[str]]:
    """The table of events: by type, the other cells of its row."""
    table = FORMAT.read_text("utf-8").partition("\n## The events\n")[2].partition("\n## ")[0]
    cells = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| `")]
    return {first.strip("`"): others for first, *others in cells}


def test_the_table_of_events_has_each_field_in_its_order() -> None:
    assert set(rows()) == {kind(event) for event in EVENTS}
    for event_ in EVENTS:
        fields = record_format.struct(event_).fields
        # The players have a default only because of the order of the fields.
        cells = [f"`{f.name}`{'' if f.required or f.name == 'players' else '?'}" for f in fields]
        assert cells[-2:] == ["`when`?", "`by`?"]
        assert rows()[kind(event_)][0] == ", ".join(cells[:-2])


def test_the_table_of_events_has_the_games_of_each_act_and_claim() -> None:
    names = {"both ziggurats": "ziggurat, domino-ziggurat", "all": ", ".join(catalog.built_in())}
    for event_ in (*ACTS, *CLAIMS):
        games = re.sub(r" \(.*?\)|, line games", "", rows()[kind(event_)][1])
        shipped = {name for name in catalog.built_in() if event_ in catalog.find(name).events}
        assert set(names.get(games, games).split(", ")) == shipped, kind(event_)
        assert rows()[kind(event_)][2].startswith("act" if event_ in ACTS else "claim")
    assert not catalog.find("zigzag").has(Play("a", named("1-2"), "left"))


def test_the_page_has_the_greatest_length_of_a_text() -> None:
    assert f"shorter than {codec.LONGEST:,}" in FORMAT.read_text("utf-8")
