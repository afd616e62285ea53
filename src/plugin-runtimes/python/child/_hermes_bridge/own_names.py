"""Names under which a folder imports itself, apart from the one it is loaded by."""

import importlib
import importlib.util
import os
import sys
import types

from .watch.absent import report_lookups

# : The package of the original's own plugins, which users copy and change.
CATEGORIES = (
    "browser",
    "context_engine",
    "cron_providers",
    "dashboard_auth",
    "image_gen",
    "memory",
    "observability",
    "platforms",
    "video_gen",
    "web",
)
# : Each such name, and the name it is loaded by.
_loaded = {}


def give(module, key, name, folder):
    """As an installed package would, and as a copy of a plugin of the original does."""
    if Files not in sys.meta_path:
        sys.meta_path.insert(0, Files)
    last = slug(os.path.basename(folder))
    for alias in {slug(name), last}:
        if alias.isidentifier() and alias not in sys.modules and findable(alias) is None:
            _loaded[alias] = module.__name__
            sys.modules[alias] = module
    if not last.isidentifier():
        return
    parts = [slug(part) for part in key.split("/")]
    own = ".".join(["plugins", *parts[:-1], last])
    for alias in {own, "plugins.%s" % last, *("plugins.%s.%s" % (category, last) for category in CATEGORIES)}:
        if (alias == own or alias not in sys.modules) and alias.rpartition(".")[2] not in CATEGORIES:
            _loaded[alias] = module.__name__
            _place(alias, module)


def take_back(module):
    """Modules imported below any of its names are dropped too: the next import reads the files again."""
    names = [one for one, loaded in list(sys.modules.items()) if loaded is module]
    for name in names:
        _loaded.pop(name, None)
    for one in list(sys.modules):
        if any(one == name or one.startswith(name + ".") for name in names):
            above, _, last = one.rpartition(".")
            if getattr(sys.modules.get(above), last, None) is sys.modules[one]:
                delattr(sys.modules[above], last)
            del sys.modules[one]


def slug(key):
    return key.replace("/", "__").replace("-", "_").replace(".", "_")


def findable(name):
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None


def _place(name, module):
    above = name.rpartition(".")[0]
    if above not in sys.modules:
        package = types.ModuleType(above)
        package.__path__ = []
        report_lookups(package)
        if "." in above:
            _place(above, package)
        else:
            sys.modules[above] = package
    sys.modules[name] = module
    setattr(sys.modules[above], name.rpartition(".")[2], module)


class Files:
    """A file of the folder is one module under every name it is imported by, so its state exists once."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        above, _, last = name.rpartition(".")
        full = _loaded.get(above)
        if full is None:
            return None
        _loaded[name] = "%s.%s" % (full, last)
        if findable(_loaded[name]) is None:
            del _loaded[name]
            return None
        return importlib.util.spec_from_loader(name, Same(_loaded[name]))


class Same:
    def __init__(self, full):
        self._full = full

    def create_module(self, spec):
        module = importlib.import_module(self._full)
        self._spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self._spec
