"""What a plugin asks for of the original that has no counterpart here is told, also where the plugin catches the failure and goes on."""

import importlib.util
import sys
from importlib.machinery import PathFinder, SourceFileLoader

from . import current, registry

#: Packages of the original. A plugin may bring a module of such a name itself.
ORIGINAL = frozenset(("agent", "tools", "gateway", "hermes_cli", "hermes_constants", "hermes_logging", "hermes_state", "hermes_time", "model_tools", "providers", "cron", "run_agent", "toolsets", "acp_adapter", "batch_runner", "plugins", "tui_gateway", "utils"))
_told = set()


def watch(modules):
    """`modules` is the folder with the counterparts."""
    sys.meta_path.insert(0, Counterparts(modules))
    sys.meta_path.append(Absent())


class Counterparts:
    """A counterpart says which of its names somebody looked for in vain."""

    def __init__(self, folder):
        self._folder = folder

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in ORIGINAL:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader) and spec.loader.path.startswith(self._folder):
            spec.loader = Counterpart(spec.loader.name, spec.loader.path)
        return spec


class Counterpart(SourceFileLoader):
    def exec_module(self, module):
        super().exec_module(module)
        tell_of(module)


def tell_of(module):
    """Names that somebody looks for in it in vain are told."""
    module.__dict__.setdefault("__getattr__", lambda name: _lacks(module, name))


class Absent:
    """Asked last: nobody else has it."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ORIGINAL:
            _tell(name)


def _lacks(module, name):
    # Python itself looks for names with underscores, and whether a package has a module already.
    known = name.startswith("__") or (hasattr(module, "__path__") and importlib.util.find_spec("%s.%s" % (module.__name__, name)) is not None)
    if not known:
        _tell("%s.%s" % (module.__name__, name))
    raise AttributeError("module %r has no attribute %r" % (module.__name__, name))


def _tell(what):
    plugin = current.plugin.get()
    if plugin is None or (plugin, what) in _told:
        return
    _told.add((plugin, what))
    words = "The plugin %r asked for %s of the Python original, which is not here." % (plugin, what)
    registry.wire.notify("log", {"plugin": plugin, "level": "warning", "message": words})
