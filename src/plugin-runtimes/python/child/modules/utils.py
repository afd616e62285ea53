"""Helpers that plugins use from the original."""

import json
import os
import tempfile
from urllib.parse import urlparse

TRUTHY_STRINGS = frozenset({"1", "true", "yes", "on"})


def is_truthy_value(value, default=False):
    if value is None:
        return default
    return value.strip().lower() in TRUTHY_STRINGS if isinstance(value, str) else bool(value)


def env_var_enabled(name, default=""):
    return is_truthy_value(os.environ.get(name, default))


def env_bool(key, default=False):
    return is_truthy_value(os.environ.get(key), default)


def env_int(key, default=0):
    try:
        return int(os.environ.get(key, "").strip())
    except ValueError:
        return default


def safe_json_loads(text, default=None):
    try:
        return json.loads(text)
    except (ValueError, TypeError):
        return default


def base_url_hostname(base_url):
    return (urlparse(base_url or "").hostname or "").lower()


def atomic_replace(tmp_path, target):
    """A link stays a link: its target is replaced."""
    place = os.path.realpath(target)
    os.replace(tmp_path, place)
    return place


def atomic_json_write(path, data, *, indent=2, mode=None, **options):
    _write(path, json.dumps(data, indent=indent, **{"ensure_ascii": False, **options}), mode)


def atomic_yaml_write(path, data, *, default_flow_style=False, sort_keys=False, extra_content=None):
    import yaml

    _write(
        path, yaml.dump(data, default_flow_style=default_flow_style, sort_keys=sort_keys) + (extra_content or ""), None
    )


def _write(path, text, mode):
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=folder, prefix=".write-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(name, mode)
        atomic_replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
