"""Pictures as PNG, and several as a GIF; both need the extra ``export``."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

from ledger.record.errors import NotForNow

SMALL_PIXELS = 480
"""The width of an animation, in pixels."""
COLOURS, SAMPLES = 128, 5
"""The colours of an animation, and the frames they are taken from."""
DRAWERS = 2
"""The threads that draw.  It takes 200 kB of a stack, which stay, and sooner or later each thread of a server would."""
EXACT = ("table", "tile", "white", "mark", "breach-mark", *(f"p{n}" for n in range(1, 9)))
"""The tokens that every frame shows as they are: their areas are too small to count, or they must not change."""


def _extra(module: str) -> Any:
    """A library of the extra ``export``.  Raises NotForNow if it is not installed."""
    try:
        return import_module(module)
    except ImportError:
        raise NotForNow(
            "pictures and animations need an extra: pip install 'domino-ledger[export]'; SVG works without it"
        ) from None


SHORT, LONG = 700, 2500
"""Milliseconds of a picture, and of one that matters or is the last."""


_drawers = ThreadPoolExecutor(DRAWERS, "draw")


def raster(svg: str, width: int) -> bytes:
    """An SVG picture of ours as PNG, `width` pixels wide.  Raises NotForNow without the extra."""
    return bytes(_drawers.submit(_extra("resvg_py").svg_to_bytes, svg_string=svg, width=width).result())


def animation(pictures: Sequence[str], colours: Mapping[str, str], long: Sequence[bool]) -> bytes:
    """Pictures as a GIF, the `long` ones and the last for longer.

    Raises NotForNow without the extra.  `colours` are the tokens of the theme.
    """
    image = _extra("PIL.Image")
    frames = [image.open(io.BytesIO(raster(svg, SMALL_PIXELS))).convert("RGB") for svg in pictures]
    palette = _palette(frames, [colours[name] for name in EXACT])
    still = [frame.quantize(palette=palette, dither=0) for frame in frames]
    out = io.BytesIO()
    pauses = [LONG if is_long else SHORT for is_long in long[:-1]] + [LONG]
    still[0].save(out, "GIF", save_all=True, append_images=still[1:], duration=pauses, loop=0, disposal=1)
    return out.getvalue()


def _palette(frames: Sequence[Any], exact: Sequence[str]) -> Any:
    """An image with one palette for all frames: the `exact` colours, and those of some frames from first to last."""
    image = _extra("PIL.Image")
    wide, high = frames[0].size
    samples = [frames[round(part * (len(frames) - 1) / (SAMPLES - 1))] for part in range(SAMPLES)]
    sheet = image.new("RGB", (wide, high * SAMPLES))
    for number, frame in enumerate(samples):
        sheet.paste(frame, (0, high * number))
    common = sheet.quantize(COLOURS - len(exact), dither=0).getpalette()[: 3 * (COLOURS - len(exact))]
    palette = image.new("P", (1, 1))
    palette.putpalette([*common, *(part for colour in exact for part in bytes.fromhex(colour.removeprefix("#")))])
    return palette
