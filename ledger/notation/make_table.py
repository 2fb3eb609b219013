"""Makes `sheet.table.json` from `sheet.lark`: the parser's table, so that the program need not build it at every start.

Run it after every change of the grammar: ``python -m ledger.notation.make_table``.  A test compares the two.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from ledger.notation.grammar import built

TABLE = Path(__file__).with_name("sheet.table.json")
SHIFT = 0
"""The action in a table that goes to another state."""


def table() -> str:
    """The table of the grammar as JSON, always the same for the same grammar."""
    data, memo = built().memo_serialize([TerminalDef, Rule])
    data["parser"]["parser"] |= _in_order(data["parser"]["parser"])
    return json.dumps({"lark": lark.__version__, "data": data, "memo": memo}, separators=(",", ":")) + "\n"


def _in_order(parser: dict[str, Any]) -> dict[str, Any]:
    """The same table with sorted tokens, and states in the order in which they are reached: Lark's order varies."""
    names = sorted(parser["tokens"].values())
    states = {
        state: sorted((parser["tokens"][token], action) for token, action in actions.items())
        for state, actions in parser["states"].items()
    }
    starts = sorted(parser["start_states"].items())
    order = {state: number for number, (_start, state) in enumerate(starts)}
    waiting = list(order)
    for state in waiting:
        for _name, (action, target) in states[state]:
            if action == SHIFT and target not in order:
                order[target] = len(order)
                waiting.append(target)
    number = {name: n for n, name in enumerate(names)}
    return {
        "tokens": dict(enumerate(names)),
        "states": {
            order[state]: {
                number[name]: (action, order[target] if action == SHIFT else target)
                for name, (action, target) in states[state]
            }
            for state in order
        },
        "start_states": {start: order[state] for start, state in starts},
        "end_states": {start: order[state] for start, state in sorted(parser["end_states"].items())},
    }


def main() -> None:
    """Writes the table."""
    TABLE.write_text(table(), "utf-8")


if __name__ == "__main__":
    main()
