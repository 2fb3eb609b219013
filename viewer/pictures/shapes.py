"""The look of a tile, as SVG: halves with pips or a numeral, a face, a back, the marks.

All sizes derive from a half's side, `HALF`.  Faces are symbols in `DEFS`, shared by every picture, so a tile takes only
one line.  Shapes have classes, not colours: `PAINT` gives the colours of each theme.
"""

from __future__ import annotations

from ledger.tiles import LARGEST

HALF = 32
"""The side of a half in picture units."""

_NINE = {
    0: (), 1: ("11",), 2: ("00", "22"), 3: ("00", "11", "22"), 4: ("00", "02", "20", "22"),
    5: ("00", "02", "11", "20", "22"), 6: ("00", "01", "02", "20", "21", "22"),
    7: ("00", "01", "02", "11", "20", "21", "22"), 8: ("00", "01", "02", "10", "12", "20", "21", "22"),
    9: ("00", "01", "02", "10", "11", "12", "20", "21", "22"),
}  # fmt: skip
"""The pips on a 3 × 3 grid, (column, row), as on real sets."""


def pips(number: int) -> list[tuple[float, float]]:
    """The centres of a half's pips; from 10 on they are in three rows of four."""
    if number <= 9:
        return [(8 + 8 * int(spot[0]), 8 + 8 * int(spot[1])) for spot in _NINE[number]]
    middle = {10: (1, 2), 11: (0, 1.5, 3), 12: (0, 1, 2, 3)}[number]
    rows = ((0, 1, 2, 3), middle, (0, 1, 2, 3))
    return [(5.5 + 7 * x, 8 + 8 * y) for y, row in enumerate(rows) for x in row]


def _half(number: int) -> str:
    size = "3" if number <= 9 else "2.5"
    dots = "".join(f'<circle cx="{x:g}" cy="{y:g}" r="{size}"/>' for x, y in pips(number))
    return (
        f'<g id="h{number}"><g class="pip p{number}">{dots}</g>'
        f'<text class="num" x="16" y="23" text-anchor="middle">{number}</text></g>'
    )


_FACE = (
    '<g id="face"><rect class="face" x="1" y="1" width="62" height="30" rx="5"/>'
    '<path class="mid" d="M32 5v22"/></g>'
    '<g id="back"><rect class="back" x="1" y="1" width="62" height="30" rx="5"/>'
    '<path class="mid" d="M8 8l48 16M56 8L8 24"/></g>'
    '<rect id="rim" class="rim" x="1" y="1" width="62" height="30" rx="5"/>'
    '<rect id="ring" class="ring" x="-2" y="-2" width="68" height="36" rx="8"/>'
    '<rect id="wrong" class="wrong" x="0" y="0" width="64" height="32" rx="6"/>'
)
_HATCH = (
    '<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect class="hatch" width="3" height="6"/></pattern>'
)

DEFS = f"<defs>{_HATCH}{_FACE}{''.join(_half(n) for n in range(LARGEST + 1))}</defs>"
"""The symbols that every picture uses."""

PAINT = {
    "light": {
        "table": "#dfe5df", "line": "#a9b5ab", "ink": "#1c2420", "soft": "#4c5851", "face": "#fffcf0",
        "edge": "#8d8672", "pip": "#22262a", "back": "#6f7d76", "ring": "#0a58a8", "bad": "#b3261e",
        "tie": "#0a58a8", "side": "#cfc7ae", "dark": "#b3aa8e",
        "o0": "#0a58a8", "o1": "#9a4508", "o2": "#6a3d9a", "o3": "#1b6a3a",
    },
    "dark": {
        "table": "#1d2522", "line": "#46534c", "ink": "#eef2ef", "soft": "#a8b5ad", "face": "#efe9d6",
        "edge": "#5a5544", "pip": "#1b1f22", "back": "#4c5a53", "ring": "#6fb5ff", "bad": "#ff8a80",
        "tie": "#2f7fd1", "side": "#b9b199", "dark": "#938b74",
        "o0": "#6fb5ff", "o1": "#f0a060", "o2": "#c3a3f0", "o3": "#6fd19a",
    },
}  # fmt: skip
"""The colours of each theme, by what they paint; o0 to o3 are the owners, by seat."""

_RULES = """
.face{fill:@face;stroke:@edge;stroke-width:1}.mid{stroke:@edge;stroke-width:1.2;fill:none}
.pip{fill:@pip}.num{display:none;fill:@pip;font-weight:700;font-size:20px}
.numerals .pip{display:none}.numerals .num{display:inline}
.back{fill:@back;stroke:@edge}.rim{fill:none;stroke-width:4}.ring{fill:none;stroke:@ring;stroke-width:3}
.wrong{fill:none;stroke:url(#hatch);stroke-width:5}.hatch{fill:@bad}.flag{fill:@bad;font-weight:700;font-size:18px}
.tie{stroke:@tie;stroke-width:4;stroke-linecap:round}.knot{fill:@tie}
.side{fill:@side;stroke:@edge;stroke-width:.7}.dark{fill:@dark;stroke:@edge;stroke-width:.7}
.cell{fill:none;stroke:@line;stroke-width:1}.ground{fill:@table}
.t{fill:@ink;font-weight:600;font-size:14px}.s{fill:@soft;font-size:12px}
.gain{fill:@ring;font-weight:700;font-size:22px;stroke:@table;stroke-width:4px;paint-order:stroke}
.o0{stroke:@o0}.o1{stroke:@o1}.o2{stroke:@o2}.o3{stroke:@o3}.n0{fill:@o0}.n1{fill:@o1}.n2{fill:@o2}.n3{fill:@o3}
.name{font-weight:700;font-size:12px}
"""


def style(theme: str | None = None) -> str:
    """The rules of a picture: in the colours of a theme, or in CSS variables that a page sets."""
    rules = _RULES
    for name in sorted(PAINT["light"], key=len, reverse=True):
        rules = rules.replace(f"@{name}", PAINT[theme][name] if theme else f"var(--{name})")
    return rules.replace("\n", "")


def variables(theme: str) -> str:
    """The CSS variables of a theme."""
    return "".join(f"--{name}:{value};" for name, value in PAINT[theme].items())


def tile(first: int, second: int, x: float, y: float, turn: int = 0) -> str:
    """A tile whose first half's upper left corner is at (x, y), turned clockwise by `turn` degrees about that half."""
    return (
        f'<g transform="{_at(x, y, turn)}"><use href="#face"/><use href="#h{first}"/>'
        f'<use href="#h{second}" x="{HALF}"/></g>'
    )


def symbol(what: str, x: float, y: float, turn: int = 0, extra: str = "") -> str:
    """A symbol placed like a tile: ``back``, ``rim``, ``ring`` or ``wrong``."""
    return f'<use href="#{what}"{extra} transform="{_at(x, y, turn)}"/>'


def _at(x: float, y: float, turn: int) -> str:
    if not turn:
        return f"translate({x:g} {y:g})"
    return f"translate({x:g} {y:g})rotate({turn} {HALF // 2} {HALF // 2})"


def text(words: str, x: float, y: float, kind: str = "s", anchor: str = "") -> str:
    """A line of text at its baseline."""
    from html import escape  # noqa: PLC0415  tiny, and only for words

    where = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}"{where}>{escape(words)}</text>'
