"""Texts that are almost right: good ones with a part changed, removed, doubled or replaced from another text."""

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

_ODD: tuple[bytes, ...] = (
    b"0", b"-1", b"1e9", b"9007199254740993", b"18446744073709551616", b"1.5", b"null", b"true", b'""', b"[]", b"{}",
    b"\x00", b"\xff", b"\xc3\xa9", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\\ud800", b'"', b"\\", b"\n", b"\r", b"\t", b" ",
    b"\xc2\xa0", b"e\xcc\x81", b"\xd9\xa1",
)  # fmt: skip
_VALUES: tuple[Any, ...] = (0, 1, -1, 7, 12, 13, 1000, 2**53 + 1, 2**64, 1.5, None, True, "", "a", "é\u2028", [], {})


def mutated(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """The text with one or more changes, some of them taken from the `others`."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        if data[:1] in b"{[" and random.random() < 0.6:
            data = _of_json(data, random, others)
        else:
            data = random.choice((_flipped, _cut, _doubled, _odd, _lines, _spliced))(data, random, others)
    return data


def _span(data: bytes, random: Random) -> tuple[int, int]:
    start = random.randint(0, len(data))
    return start, min(len(data), start + random.choice((1, 1, 2, 4, 16, 200)))


def _flipped(data: bytes, random: Random, _others: Sequence[bytes]) -> bytes:
    if not data:
        return data
    at = random.randrange(len(data))
    changed = random.choice((data[at] ^ 1 << random.randrange(8), random.randrange(32, 127)))
    return data[:at] + bytes([changed]) + data[at + 1 :]


def _cut(data: bytes, random: Random, _others: Sequence[bytes]) -> bytes:
    start, end = _span(data, random)
    return data[:start] + data[end:]


def _doubled(data: bytes, random: Random, _others: Sequence[bytes]) -> bytes:
    start, end = _span(data, random)
    at = random.choice((start, end, random.randint(0, len(data))))
    return data[:at] + data[start:end] * random.choice((1, 1, 3)) + data[at:]


def _odd(data: bytes, random: Random, _others: Sequence[bytes]) -> bytes:
    start, end = _span(data, random)
    return data[:start] + random.choice(_ODD) + data[random.choice((start, end)) :]


def _lines(data: bytes, random: Random, _others: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    if random.random() < 0.5:
        del lines[one]
    return b"\n".join(lines)


def _spliced(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    other = random.choice(others) if others else data
    start, end = _span(other, random)
    at, until = _span(data, random)
    return data[:at] + other[start:end] + data[random.choice((at, until)) :]


def _of_json(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """JSON that is still JSON: a value replaced, removed, doubled or moved."""
    try:
        tree = json.loads(data)
        other = json.loads(random.choice(others)) if others else tree
    except (ValueError, RecursionError):
        return _flipped(data, random, others)
    places = list(_places(tree))
    if not places:
        return data
    holder, key = random.choice(places)
    act = random.choice(("odd", "odd", "gone", "doubled", "elsewhere", "other"))
    if act == "odd":
        holder[key] = random.choice(_VALUES)
    elif act == "gone":
        del holder[key]
    elif act == "doubled" and isinstance(holder, list):
        holder.insert(random.randint(0, len(holder)), holder[key])
    elif act == "elsewhere":
        there, place = random.choice(places)
        holder[key] = json.loads(json.dumps(there[place]))
    elif found := list(_places(other)):
        there, place = random.choice(found)
        holder[key] = there[place]
    return json.dumps(tree, ensure_ascii=random.random() < 0.5, separators=(",", ":")).encode("utf-8", "replace")


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in it that holds a value: a list or an object, and the index or key."""
    keys = range(len(tree)) if isinstance(tree, list) else list(tree) if isinstance(tree, dict) else ()
    for key in keys:
        yield tree, key
        yield from _places(tree[key])
