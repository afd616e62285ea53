"""What a plugin asks for of the original that has no counterpart here is told, also where the plugin catches the failure and goes on; so is what it would replace."""

import importlib.util
import sys
import types
from importlib.machinery import PathFinder, SourceFileLoader

from . import current, registry

#: Packages of the original. A plugin may bring a module of such a name itself.
ORIGINAL = frozenset(
    (
        "agent",
        "tools",
        "gateway",
        "hermes_cli",
        "hermes_constants",
        "hermes_logging",
        "hermes_state",
        "hermes_time",
        "model_tools",
        "providers",
        "cron",
        "run_agent",
        "toolsets",
        "acp_adapter",
        "batch_runner",
        "plugins",
        "tui_gateway",
        "utils",
    )
)
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
        module.__class__ = Watched


class Watched(types.ModuleType):
    """Another function under a name of it is met by what runs in this process, and by nothing of the agent."""

    def __setattr__(self, name, value):
        replaced = vars(self).get(name)
        own = callable(replaced) and value is not replaced
        if own and self.__name__ == "model_tools":
            raise never_called(name, "model_tools")
        super().__setattr__(name, value)
        if own:
            _tell(
                "put something of its own in the place of %s.%s, which the agent never calls in a plugin's process"
                % (self.__name__, name)
            )


def never_called(name, of):
    """What would go around every call of a tool in the original may be a guard: it does not vanish quietly."""
    return AttributeError(
        "The agent never calls %r of %s of a plugin's process: register the middleware tool_execution, which goes around every call."
        % (name, of)
    )


def tell_of(module):
    """Names that somebody looks for in it in vain are told."""
    module.__dict__.setdefault("__getattr__", lambda name: _lacks(module, name))


class Absent:
    """Asked last: nobody else has it."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ORIGINAL:
            _tell_absent(name)


def _lacks(module, name):
    # Python itself looks for names with underscores, and whether a package has a module already.
    known = name.startswith("__") or (
        hasattr(module, "__path__") and importlib.util.find_spec("%s.%s" % (module.__name__, name)) is not None
    )
    if not known:
        _tell_absent("%s.%s" % (module.__name__, name))
    raise AttributeError("module %r has no attribute %r" % (module.__name__, name))


def _tell_absent(name):
    _tell("asked for %s of the Python original, which is not here" % name)


def _tell(what):
    plugin = current.plugin.get()
    if plugin is None or (plugin, what) in _told:
        return
    _told.add((plugin, what))
    registry.wire.notify("log", {"plugin": plugin, "level": "warning", "message": "The plugin %r %s." % (plugin, what)})
