"""The look of a tile, as SVG symbols: halves with pips or a numeral, faces, a back, rims, flags.

A half is 1 × 1 and a tile 2 × 1; a drawing scales them.  Symbols have classes, not colours: static/drawing.css paints
them.
"""

import re

from ledger.record.tiles import LARGEST

ROUND, GAP, EDGE = 0.115, 0.014, 0.07
"""The radius of a tile's corners, the gap at its sides on a building, and the edge seen below its face; in halves."""

THIRDS, QUARTERS = (0.23, 0.5, 0.77), (0.155, 0.385, 0.615, 0.845)
"""Where pips stand: on a 3 × 3 grid up to nine, in rows of four from ten on."""

_NINE = ("", "4", "08", "048", "0268", "02468", "012678", "0124678", "01235678", "012345678")
"""The pips on a 3 × 3 grid, counted line by line, as on real sets."""

PATTERNS = ("", ".22 .1", ".06 .09", ".3 .09 .06 .09", "", ".12 .12", ".45 .08", ".3 .08 .06 .08 .06 .08")
"""The dash pattern of each owner's rim, by seat; the fifth is a double line."""


def pips(number: int) -> list[tuple[float, float]]:
    """The centres of a half's pips."""
    if number <= 9:
        return [(THIRDS[int(spot) % 3], THIRDS[int(spot) // 3]) for spot in _NINE[number]]
    middle = {10: QUARTERS[1:3], 11: (QUARTERS[0], 0.5, QUARTERS[3]), 12: QUARTERS}[number]
    rows = zip(THIRDS, (QUARTERS, middle, QUARTERS), strict=True)
    return [(x, y) for y, row in rows for x in row]


def _half(number: int) -> str:
    radius = 0.098 if number <= 9 else 0.083
    # One path for all pips: a browser lays out and paints a tile several times faster than with a circle for each.
    dots = "".join(
        f"M{x - radius:.3f} {y:g}a{radius} {radius} 0 1 0 {2 * radius:g} 0a{radius} {radius} 0 1 0 {-2 * radius:g} 0z"
        for x, y in pips(number)
    )
    kind, base = ("t-num", ".74") if number <= 9 else ("t-num2", ".7")
    numeral = f'<text class="{kind}" x=".5" y="{base}" text-anchor="middle">{number}</text>'
    return f'<path id="h{number}" d="{dots}"/><g id="n{number}">{numeral}</g>'


def _rim(seat: int) -> str:
    """A rim inside a thin ivory margin; the owner's colour is inherited from where it is used."""
    whole = '<rect x=".085" y=".085" width="1.83" height=".83" rx=".07" stroke-width=".095"'
    if seat == 4:
        return (
            f'<g id="rim{seat + 1}" fill="none"><rect x=".06" y=".06" width="1.88" height=".88" rx=".08" '
            'stroke-width=".045"/><rect x=".14" y=".14" width="1.72" height=".72" rx=".05" stroke-width=".03"/></g>'
        )
    dashes = PATTERNS[seat]
    shape = f'{whole} stroke-opacity=".25"/>{whole} stroke-dasharray="{dashes}"/>' if dashes else f"{whole}/>"
    return f'<g id="rim{seat + 1}" fill="none">{shape}</g>'


_RIM = 'x=".05" y=".05" width="1.9" height=".9" rx=".09"'
"""Where the rim of a tile with a finding runs."""
_OUTLINE = f'width="2" height="1" rx="{ROUND:g}"'
_BELOW = f'<rect class="t-edge" y="{EDGE:g}" {_OUTLINE}/>'
_BAR = '<path class="t-bar" d="M1 .15V.85" stroke-width=".036"/>'
_FLAT = (
    f'<rect class="t-tile" {_OUTLINE}/>'
    f'<rect class="t-line" x=".012" y=".012" width="1.976" height=".976" rx="{ROUND - 0.012:g}" stroke-width=".024"/>'
    f"{_BAR}"
)
_TILES = (
    # The outline of a tile and of a half, painted where they are used.
    f'<g id="outline"><rect {_OUTLINE}/></g>'
    f'<g id="half"><rect width="1" height="1" rx="{ROUND:g}"/></g>'
    # A tile seen from above: among others, and lying alone, with its edge below it.
    f'<g id="flat">{_FLAT}</g>'
    f'<g id="face">{_BELOW}{_FLAT}</g>'
    # The same face on the building, which draws the tile's outline itself.
    '<g id="top"><rect class="t-line" x=".06" y=".06" width="1.88" height=".88" rx=".08" stroke-width=".018"/>'
    f"{_BAR}</g>"
    f'<g id="back">{_BELOW}<rect class="t-back" {_OUTLINE}/>'
    '<g class="t-backline"><rect x=".12" y=".12" width="1.76" height=".76" rx=".07" stroke-width=".035"/>'
    '<path d="M1 .26 1.3 .5 1 .74 .7 .5Z" stroke-width=".045"/></g></g>'
    # The rims of a breach, of what is impossible (two lines) and of what is unproven, which accuses nobody.
    f'<g id="wrong"><rect class="t-pole" {_RIM} stroke-width=".1"/>'
    f'<rect class="t-hatch" {_RIM} stroke-width=".1" stroke-dasharray=".1 .075"/></g>'
    f'<g id="wrong-impossible"><rect class="t-hatch" {_RIM} stroke-width=".1"/>'
    f'<rect class="t-pole" {_RIM} stroke-width=".04"/></g>'
    f'<g id="wrong-unproven"><rect class="t-unproven" {_RIM} stroke-width=".05" stroke-dasharray=".2 .12"/></g>'
    '<g id="ring"><rect class="t-halo" x="-.06" y="-.06" width="2.12" height="1.19" rx=".17" stroke-width=".11"/>'
    '<rect class="t-ring" x="-.06" y="-.06" width="2.12" height="1.19" rx=".17" stroke-width=".05"/></g>'
)
_HATCH = (
    '<pattern id="hatch" width=".14" height=".14" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect class="t-white" width=".14" height=".14"/><rect class="t-red" width=".072" height=".14"/></pattern>'
)
_SOFT = '<filter id="soft" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="7"/></filter>'
_CLOTH = "M0-31H22L17-23.5 22-16H0Z"
_POLE = '<path class="t-mast0" d="M0 2V-30"/>'
_FLAGS = "".join(
    f'<g id="flag-{verdict}">{_POLE}<path class="t-cloth0" d="{_CLOTH}"/><path class="t-mast" d="M0 2V-30"/>'
    f'<path class="{cloth}" d="{_CLOTH}"/>{more}</g>'
    for verdict, cloth, more in (
        ("breach", "t-cloth", ""),
        ("unproven", "t-cloth-open", ""),
        (
            "impossible",
            "t-cloth",
            '<path class="t-strike0" d="M-5-33 25-14"/><path class="t-strike" d="M-5-33 25-14"/>',
        ),
    )
)
"""A breach is a flag, unproven an open one, impossible a struck one: 24 px wide, planted at (0, 0)."""

_ALL = "".join((_HATCH, _SOFT, _TILES, *map(_rim, range(len(PATTERNS))), _FLAGS, *map(_half, range(LARGEST + 1))))
DEFS = f"<defs>{_ALL}</defs>"
"""The symbols that every drawing uses."""
_KINDS = "g|path|pattern|filter"
_SYMBOL = re.compile(rf'(?s)(<(?P<kind>{_KINDS}) id="(?P<id>[^"]+)".*?(?:</(?P=kind)>|/>))(?=<(?:{_KINDS}) id=|$)')
_SYMBOLS = {match["id"]: match[1] for match in _SYMBOL.finditer(_ALL)}


def symbols_of(body: str) -> str:
    """The symbols that a drawing uses, for a picture that should be small."""
    names = dict.fromkeys(re.findall(r'(?:href="|url\()#([a-z0-9-]+)', body))
    return f"<defs>{''.join(_SYMBOLS[name] for name in names)}</defs>"
