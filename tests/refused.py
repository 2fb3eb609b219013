r"""The table of refusals, `tests/printed/lines.refused`: what a line that cannot be read is answered, word for word.

A section is a place where people write: the heading of a sheet, a line under the heading of a game, a line typed at the
prompt of `record`.  Below each line, indented, stands every sentence of its answer; a line break in it is ``\n``.  To
add a refusal, write the line into its section and run the test of the section with `--golden-update`: read the diff.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

TABLE = Path(__file__).parent / "printed" / "lines.refused"


def sections() -> dict[str, dict[str, list[str]]]:
    """The lines of each section, each with its answer."""
    table, answer = dict[str, dict[str, list[str]]](), list[str]()
    for line in TABLE.read_text("utf-8").splitlines():
        if line.startswith("["):
            table[line[1:-1]] = {}
        elif line.startswith("    "):
            answer.append(line[4:])
        else:
            answer = table[list(table)[-1]][line.replace(r"\n", "\n")] = []
    return table


def answers_of(section: str, answer: Callable[[str], Iterable[str]], *, golden_update: bool) -> None:
    """Compares the answers to the lines of a section with the table, or writes them into it."""
    table = sections()
    now = {line: list(answer(line)) for line in table[section]}
    if golden_update:
        table[section] = now
        TABLE.write_text("".join(map(_text, table, table.values())), "utf-8")
        return
    assert table[section] == now


def _text(section: str, lines: dict[str, list[str]]) -> str:
    rows = [f"[{section}]"]
    for line, answer in lines.items():
        rows += [line.replace("\n", r"\n"), *(f"    {sentence}" for sentence in answer)]
    return "".join(f"{row}\n" for row in rows)
