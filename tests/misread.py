"""Texts that programs easily misread: the borderline cases of the record format."""

import json

_START = '{"format":"domino-ledger/1","events":[{"type":"open","game":"zigzag","players":[{"id":"ana"},{"id":"ben"}]}'
_OPEN = '{"type":"open","game":"zigzag","players":[{"id":"ana"},{"id":"ben"}]}'
_THREE = '{"type":"open","game":"x","players":[{"id":"ana"},{"id":"ben"},{"id":"cy"}]}'
_PASSES = '{"type":"pass","player":"ana"}'


def _events(*events: str) -> bytes:
    """A record of an opening and these events."""
    return "".join((_START, *(f",{event}" for event in events), "]}")).encode("utf-8", "surrogatepass")


def _bid(number: str) -> bytes:
    return _events(f'{{"type":"bid","player":"ana","bid":{number}}}')


def _note(text: str, more: str = "") -> bytes:
    return _events(f'{{"type":"note","text":"{text}"{more}}}')


def _opening(more: str) -> bytes:
    """A record of an opening with more fields."""
    return f"{_START[:-1]},{more}}}]}}".encode()


def _options(value: str) -> bytes:
    return _opening(f'"options":{{"a":{value}}}')


def _amend(seq: int, event: str) -> str:
    return f'{{"type":"amend","seq":{seq},"event":{event},"why":""}}'


def _tiles(number: int) -> bytes:
    return _events(f'{{"type":"deal","player":"ana","tiles":{json.dumps(["1-2"] * number)}}}')


def _place(at: str, level: str = "1") -> bytes:
    return _events(f'{{"type":"place","player":"ana","tile":"1-2","at":{at},"dir":"e","level":{level}}}')


def _seats(number: int) -> bytes:
    seats = ",".join(f'{{"id":"p{n}"}}' for n in range(number))
    return f'{{"format":"domino-ledger/1","events":[{{"type":"open","game":"x","players":[{seats}]}}]}}'.encode()


MISREAD: dict[str, tuple[bytes, bool]] = {
    # The text.
    "white space around the record": (b" \t\r\n" + _events() + b"\n\n", True),
    "a vertical tab": (b"\x0b" + _events(), False),
    "a byte order mark": (b"\xef\xbb\xbf" + _events(), False),
    "text after the end": (_events() + b" x", False),
    "nothing": (b"", False),
    "a comma at the end": (_events()[:-2] + b",]}", False),
    "fields of the record in another order": (b'{"events":[' + _OPEN.encode() + b'],"format":"domino-ledger/1"}', True),
    "no format": (b'{"events":[' + _OPEN.encode() + b"]}", False),
    "bytes that are not UTF-8": (_events().replace(b"zigzag", b"zig\xff"), False),
    "a surrogate in UTF-8": (_note("\ud800"), False),
    "an overlong form in UTF-8": (_events().replace(b"zigzag", b"zig\xc0\x80"), False),
    # Text in it.
    "every escape": (_note(r"\u0000\b\t\n\f\r\u001F\u007f\u2028\/\"\\\u00e9\ud83c\udc61\u001B"), True),
    "characters for themselves": (_note("\x7f\x80 é \u2028\u202e\ufeff🁡"), True),
    "half of a pair, then nothing": (_note(r"\ud800"), False),
    "half of a pair, then text": (_note(r"\ud800abcdefgh"), False),
    "the second half of a pair": (_note(r"\udc00"), False),
    "a pair the wrong way round": (_note(r"\udc61\ud83c"), False),
    "a tabulator without escape": (_note("\t"), False),
    "an unknown escape": (_note(r"\x41"), False),
    "an escape of three digits": (_note(r"\u041"), False),
    "a field's name with an escape": (_events(r'{"\u0074ype":"pas\u0073","player":"ana"}'), True),
    "2000 characters beyond U+FFFF": (_note("🁡" * 2000), True),
    "2001 characters": (_note("x" * 2001), False),
    "200 characters": (_note("", f',"by":"{"é" * 200}"'), True),
    "201 characters": (_note("", f',"by":"{"é" * 201}"'), False),
    "an empty name of who recorded it": (_note("", ',"by":""'), False),
    # Numbers.
    "minus zero": (_bid("-0"), True),
    "a fraction of zero": (_bid("12.0"), False),
    "an exponent": (_bid("1e2"), False),
    "a leading zero": (_bid("012"), False),
    "a plus": (_bid("+1"), False),
    "a number in quotes": (_bid('"1"'), False),
    "true for a number": (_bid("true"), False),
    "the greatest number": (_bid("1000000000"), True),
    "a number beyond the greatest": (_bid("1000000001"), False),
    "the least number": (_bid("-1000000000"), True),
    "a number of 30 digits": (_bid("9" * 30), False),
    "NaN": (_bid("NaN"), False),
    # Tiles and places.
    "a tile with a leading zero": (_events('{"type":"play","player":"ana","tile":"4-06"}'), False),
    "a tile the other way round": (_events('{"type":"play","player":"ana","tile":"12-0"}'), True),
    "a tile of thirteen": (_events('{"type":"play","player":"ana","tile":"13-0"}'), False),
    "a tile with an end of line": (_events(r'{"type":"play","player":"ana","tile":"1-2\n"}'), False),
    "200 tiles": (_tiles(200), True),
    "201 tiles": (_tiles(201), False),
    "a corner of the table": (_place("[-1000,1000]", "1000"), True),
    "beyond the table": (_place("[-1001,0]"), False),
    "three coordinates": (_place("[1,2,3]"), False),
    "level 0": (_place("[0,0]", "0"), False),
    # Defaults and null.
    "null for an optional field": (_events('{"type":"play","player":"ana","tile":"1-2","end":null,"by":null}'), True),
    "null for partial": (_events('{"type":"deal","player":"ana","tiles":[],"partial":null}'), False),
    "false for partial": (_events('{"type":"deal","player":"ana","tiles":[],"partial":false}'), True),
    "null for options": (_opening('"options":null'), False),
    "empty options": (_opening('"options":{}'), True),
    "null for a player's name": (_events().replace(b'"ana"}', b'"ana","name":null}'), False),
    "an empty name of a player": (_events().replace(b'{"id":"ana"}', b'{"name":"","id":"ana"}'), True),
    "the regular direction": (_events('{"type":"rank","player":"ana","high":3,"direction":"regular"}'), True),
    "null for a field that must be there": (_events('{"type":"pass","player":null}'), False),
    "empty points and winners": (
        _events('{"type":"score","scope":"game","points":{}}', '{"type":"result","winners":[]}'),
        True,
    ),
    # Options.
    "options that look like numbers": (_opening('"options":{"9":1,"1":null,"a":[2,1],"0":true}'), True),
    "an option without a name": (_opening('"options":{"":1}'), False),
    "an option that is an object": (_options("{}"), False),
    "an option with a fraction": (_options("1.0"), False),
    "an option beyond the greatest number": (_options("1000000001"), False),
    "an option with too long a text": (_options(f'"{"x" * 2001}"'), False),
    "an option with a list of texts": (_options('["x"]'), False),
    "an option with a list of nothing": (_options("[null]"), False),
    "an option with 201 numbers": (_options(json.dumps([0] * 201)), False),
    # Days and times.
    "a day that no calendar has": (_opening('"played":"2026-02-30"'), False),
    "a time that no clock has": (_note("", ',"when":"2026-01-01T99:99:99Z"'), True),
    "a time in small letters": (_note("", ',"when":"2026-01-01t09:09:09z"'), False),
    "a time with an offset": (_note("", ',"when":"2026-01-01T09:09:09+00:00"'), False),
    "a fraction of ten digits": (_note("", ',"when":"2026-01-01T09:09:09.0123456789Z"'), False),
    # Fields.
    "a field of every object": (_note("", ',"__proto__":1'), False),
    "a type of every object": (_events('{"type":"constructor"}'), False),
    "a field without a name": (_note("", ',"":1'), False),
    "a type of a player": (_events().replace(b'"ana"}', b'"ana","type":"open"}'), False),
    "a type of a record": (b'{"type":"record",' + _events()[1:], False),
    "a field of another type": (_events('{"type":"pass","player":"ana","bid":1}'), False),
    "a field of a player": (_events().replace(b'"ana"}', b'"ana","age":9}'), False),
    "an event without a type": (_events('{"player":"ana"}'), False),
    "an event that is a list": (_events("[]"), False),
    "a record that is a list": (b"[]", False),
    # Who plays.
    "26 players": (_seats(26), True),
    "27 players": (_seats(27), False),
    "nobody sets tiles aside": (_events('{"type":"aside","tiles":[]}'), True),
    "somebody else sets tiles aside": (_events('{"type":"aside","tiles":[],"player":"cy"}'), False),
    "somebody else in a note's correction": (_events(_PASSES, _amend(1, _PASSES.replace("ana", "cy"))), False),
    "points of somebody else": (_events('{"type":"score","scope":"hand","points":{"cy":1}}'), False),
    "a player who comes later, used before": (_events(_PASSES.replace("ana", "cy"), _amend(0, _THREE)), False),
    "a player who comes later, used after": (_events(_amend(0, _THREE), _PASSES.replace("ana", "cy")), True),
    "a player who came, left out again": (_events(_amend(0, _THREE), _amend(0, _OPEN)), False),
    "two players alike in a new opening": (_events(_amend(0, _OPEN.replace("}]", '},{"id":"ana"}]'))), False),
    # Corrections.
    "a retract of what is not there": (_events('{"type":"retract","seq":99,"why":""}'), True),
    "an insert before the opening": (_events(f'{{"type":"insert","before":0,"event":{_PASSES},"why":""}}'), True),
    "an insert of a take without tiles and points": (
        _events('{"type":"insert","before":1,"event":{"type":"take","player":"ana"},"why":""}'),
        False,
    ),
    "an insert of a retract": (
        _events('{"type":"insert","before":1,"event":{"type":"retract","seq":1,"why":""},"why":""}'),
        False,
    ),
    "a correction without its reason": (_events(_PASSES, '{"type":"retract","seq":1}'), False),
    "an event after the close": (_events('{"type":"close","why":"finished"}', _PASSES), True),
    "a head that is not hexadecimal": (_events('{"type":"confirm","player":"ana","head":"tea"}'), True),
}
"""For each case, a text and whether a reader accepts it."""
