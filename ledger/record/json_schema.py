"""The JSON Schema (2020-12) of a record, for programs in any language.

It is made from the types that read a record.  It adds what the types cannot say: there is one opening, and its day
exists; a take says how many tiles or what they are worth; the opening is amended only to an opening.  No schema can say
which ids the players have, and none that strict programs take can say that the opening comes first: to them, a list
whose first item alone is different is a tuple without an end.
"""

from typing import Any

import msgspec

from ledger.record.codec import FORMAT, Document

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ID = "urn:domino-ledger:schema:1"
"""The id of the schema.  A name, not an address: every server has it at /schema/domino-ledger-1.json."""


def schema() -> dict[str, Any]:
    """The JSON Schema of a record's text."""
    types_schema = portable(msgspec.json.schema(Document))
    types: dict[str, Any] = types_schema["$defs"]
    complete_opening(types["Open"])
    types["Document"]["properties"]["events"] |= {"minItems": 1, "contains": _OPEN, "maxContains": 1}
    integer = {"type": "integer"}
    types["Take"]["anyOf"] = [
        {"type": "object", "required": [field], "properties": {field: integer}} for field in ("tiles", "points")
    ]
    types["Amend"]["if"] = {"type": "object", "properties": {"seq": {"const": 0}}}
    inner = types["Amend"]["properties"]["event"]["anyOf"]
    types["Amend"]["then"] = {"type": "object", "properties": {"event": {"$ref": "#/$defs/Open"}}}
    types["Amend"]["else"] = {
        "type": "object",
        "properties": {"event": {"anyOf": [ref for ref in inner if ref != _OPEN]}},
    }
    types["Insert"]["properties"]["event"]["anyOf"] = [ref for ref in inner if ref != _OPEN]
    types["Retract"]["properties"]["seq"]["minimum"] = 1
    return {
        "$schema": DIALECT,
        "$id": ID,
        "title": "Domino Ledger record",
        "description": f"One game at one table, in the format {FORMAT}.",
        **types_schema,
    }


def complete_opening(opening: dict[str, Any]) -> None:
    """Makes the players of an opening required, and its day one of the calendar.

    The type of the players has a default only because of the order of its fields.
    """
    del opening["properties"]["players"]["default"]
    opening["required"].append("players")
    opening["properties"]["played"]["anyOf"][0]["format"] = "date"


_OPEN = {"$ref": "#/$defs/Open"}


def portable(node: Any) -> Any:
    r"""A schema made by msgspec, without what only Python or OpenAPI knows.

    Python's ``\Z`` is the end of the text, which every other dialect writes ``$``; `discriminator` is OpenAPI's; and
    ``"items": false``, which not all programs know, adds nothing to the greatest length of a tuple.
    """
    if isinstance(node, list | tuple):
        return [portable(part) for part in node]
    if not isinstance(node, dict):
        return node
    plain = {
        key: portable(value)
        for key, value in node.items()
        if key != "discriminator" or not isinstance(value, dict) or "propertyName" not in value
    }
    if plain.get("items") is False and plain.get("maxItems") == len(plain.get("prefixItems", ())):
        del plain["items"]
    if plain.get("type") == "array" and not plain.keys() & {"items", "prefixItems"}:
        plain["items"] = {}
    if isinstance(plain.get("pattern"), str):
        plain["pattern"] = plain["pattern"].replace(r"\Z", "$")
    return plain
