"""Any value that a plugin returns, as JSON."""

import enum
import math
import os


def plain(value, deep=False, depth=0):
    """For `json.dumps(default=...)`; with `deep`, for a whole structure with keys or numbers that JSON does not have."""
    if deep:
        if depth > 60:
            return "..."
        if value is None or isinstance(value, (bool, int, str)) and not isinstance(value, enum.Enum):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else None
        if isinstance(value, dict):
            return {str(key): plain(item, True, depth + 1) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [plain(item, True, depth + 1) for item in value]
        simpler = plain(value)
        return simpler if isinstance(simpler, str) else plain(simpler, True, depth + 1)
    if isinstance(value, enum.Enum):
        return value.value
    if hasattr(type(value), "__dataclass_fields__"):
        from dataclasses import fields

        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", "replace")
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "__dict__") and not callable(value) and vars(value):
        return {key: item for key, item in vars(value).items() if not key.startswith("_") and not callable(item)}
    return str(value)
