"""Pictures as PNG, and several as a GIF."""

import io
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import resvg_py
from PIL import Image

SMALL_PIXELS = 480
"""The width of an animation, in pixels."""
COLOURS, SAMPLES = 128, 5
"""The colours of an animation, and the frames they are taken from."""
DRAWERS = 2
"""The threads that draw.  It takes 200 kB of a stack, which stay, and sooner or later each thread of a server would."""
EXACT = ("table", "tile", "white", "mark", "breach-mark", *(f"p{n}" for n in range(1, 9)))
"""The tokens that every frame shows as they are: their areas are too small to count, or they must not change."""
_EAST_ASIAN = re.compile(r"<text (?=(?:(?!</text).)*[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff])")
"""A text whose font lacks some of its letters is drawn in any that has them all, often a serif: name others first."""
_FAMILIES = "Noto Sans CJK JP, Noto Sans JP, Source Han Sans, WenQuanYi Zen Hei, Droid Sans Fallback, DejaVu Sans"
SHORT, LAST = 0.7, 2.5
"""Seconds of a picture, and of the last one."""
_drawers = ThreadPoolExecutor(DRAWERS, "draw")


def raster(svg: str, width: int) -> bytes:
    """An SVG picture of ours as PNG, `width` pixels wide."""
    svg = _EAST_ASIAN.sub(f'<text font-family="{_FAMILIES}" ', svg)
    return bytes(_drawers.submit(resvg_py.svg_to_bytes, svg_string=svg, width=width).result())


def animation(pictures: Sequence[str], colours: Mapping[str, str], seconds: Sequence[float]) -> bytes:
    """Pictures as a GIF, each for so many seconds, 0 for a short while; `colours` are the tokens of the theme."""
    frames = [Image.open(io.BytesIO(raster(svg, SMALL_PIXELS))).convert("RGB") for svg in pictures]
    palette = _palette(frames, [colours[name] for name in EXACT])
    still = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    out = io.BytesIO()
    pauses = [round(1000 * (pause or SHORT)) for pause in (*seconds[:-1], max(LAST, seconds[-1]))]
    still[0].save(out, "GIF", save_all=True, append_images=still[1:], duration=pauses, loop=0, disposal=1)
    return out.getvalue()


def _palette(frames: Sequence[Image.Image], exact: Sequence[str]) -> Image.Image:
    """An image with one palette for all frames: the `exact` colours, and colours of frames from first to last."""
    wide, high = frames[0].size
    samples = [frames[round(part * (len(frames) - 1) / (SAMPLES - 1))] for part in range(SAMPLES)]
    sheet = Image.new("RGB", (wide, high * SAMPLES))
    for number, frame in enumerate(samples):
        sheet.paste(frame, (0, high * number))
    common = sheet.quantize(COLOURS - len(exact), dither=Image.Dither.NONE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette(
        [
            *common[: 3 * (COLOURS - len(exact))],
            *(part for colour in exact for part in bytes.fromhex(colour.removeprefix("#"))),
        ]
    )
    return palette
