"""Reports parts of the original that a plugin uses and that do not exist here, even if the plugin catches the
failure; also what it would replace.
"""

import importlib.util
import sys
import types
from importlib.machinery import PathFinder, SourceFileLoader

from .. import current, registry
from . import lookups

# : Packages of the original. A plugin may contain a module of such a name itself.
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
_reported = set()


def watch(modules):
    """`modules` is the folder with the counterparts."""
    sys.meta_path.insert(0, Counterparts(modules))
    sys.meta_path.append(Absent())


class Counterparts:
    """A counterpart reports names that a caller looked up in vain."""

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
        report_lookups(module)
        module.__class__ = Watched


class Watched(types.ModuleType):
    """A plugin that replaces a function reaches only callers in this process, and none in the agent."""

    def __setattr__(self, name, value):
        replaced = vars(self).get(name)
        own = callable(replaced) and value is not replaced
        if own and self.__name__ == "model_tools":
            raise never_called(name, "model_tools")
        super().__setattr__(name, value)
        if own:
            _report(
                "replaced %s.%s, but the agent does not call functions of a plugin's process" % (self.__name__, name)
            )


def never_called(name, of):
    """In the original this would wrap every call of a tool, so it may be a guard: it must not vanish silently."""
    return AttributeError(
        "The agent never calls %r of %s in a plugin's process. Register the middleware tool_execution, which wraps every call."
        % (name, of)
    )


def report_lookups(module):
    """Reports unknown names that are looked up in it."""
    module.__dict__.setdefault("__getattr__", lambda name: _lacks(module, name))


class Absent:
    """Runs last, if no other finder has it."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ORIGINAL:
            _report_absent(name)
        else:
            lookups.missing_module(name)


def _lacks(module, name):
    # Python itself looks up names with underscores, and whether a package has a module already.
    known = name.startswith("__") or (
        hasattr(module, "__path__") and importlib.util.find_spec("%s.%s" % (module.__name__, name)) is not None
    )
    if not known:
        _report_absent("%s.%s" % (module.__name__, name))
    raise AttributeError("module %r has no attribute %r" % (module.__name__, name))


def _report_absent(name):
    _report("used %s of the Python original, which does not exist here" % name)


def report_member(name):
    """`name` with its module: a member of a class that exists here only in part."""
    _report_absent(name)


def _report(what):
    plugin = current.plugin.get()
    if plugin is None or (plugin, what) in _reported:
        return
    _reported.add((plugin, what))
    registry.wire.notify("log", {"plugin": plugin, "level": "warning", "message": "The plugin %r %s." % (plugin, what)})
