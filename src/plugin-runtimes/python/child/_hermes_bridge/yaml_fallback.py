"""`import yaml` where PyYAML is not installed: the agent reads and writes the text. Plain data only."""

import importlib.machinery
import sys
import types

from . import registry


# : The largest integer that every number of the agent holds exactly.
MOST = (1 << 53) - 1


class YAMLError(Exception):
    pass


def safe_load(stream):
    text = stream.read() if hasattr(stream, "read") else stream
    answer = registry.wire.request("yaml.parse", {"text": text.decode("utf-8") if isinstance(text, bytes) else text})
    if answer.get("error"):
        raise YAMLError(answer["error"])
    return answer.get("value")


def safe_dump(data, stream=None, **_):
    text = registry.wire.request("yaml.print", {"value": data, "whole": list(_large(data, []))})
    if stream is None:
        return text
    stream.write(text)
    return None


def _large(value, path):
    """The places of integers that arrive at the agent as digits, as lists of keys and positions."""
    if isinstance(value, int):
        if abs(value) > MOST:
            yield path
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _large(inner, [*path, str(key)])
    elif isinstance(value, (list, tuple)):
        for at, inner in enumerate(value):
            yield from _large(inner, [*path, at])


class _Finder:
    """Last in line, so that PyYAML comes first if installed. Without the base classes, whose module is half of a
    start's imports.
    """

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name == "yaml" else None

    def create_module(self, spec):
        return types.ModuleType("yaml")

    def exec_module(self, module):
        loaders = {name: type(name, (), {}) for name in ("SafeLoader", "Loader", "FullLoader", "SafeDumper", "Dumper")}
        vars(module).update(loaders, YAMLError=YAMLError, safe_load=safe_load, safe_dump=safe_dump)
        module.load = lambda stream, Loader=None: safe_load(stream)
        module.full_load = safe_load
        module.dump = lambda data, stream=None, **named: safe_dump(data, stream)


def install():
    sys.meta_path.append(_Finder())
