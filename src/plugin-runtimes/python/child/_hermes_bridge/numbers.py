"""Integers that are too large for the agent: they arrive as digits, and become numbers again where a tool's schema
says so.
"""

import re

_DIGITS = re.compile(r"-?\d{16,}")


def whole(value, schema):
    """The arguments of a call. Returns unchanged values as they are."""
    if not isinstance(schema, dict):
        return value
    if isinstance(value, str):
        return int(value) if _DIGITS.fullmatch(value) and _means_number(schema) else value
    if isinstance(value, list):
        return [whole(item, schema.get("items")) for item in value]
    if isinstance(value, dict):
        properties = schema.get("properties")
        return (
            {key: whole(item, properties.get(key)) for key, item in value.items()}
            if isinstance(properties, dict)
            else value
        )
    return value


def _means_number(schema):
    kinds = schema.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    return "string" not in kinds and ("integer" in kinds or "number" in kinds)
