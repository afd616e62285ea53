"""What a plugin looks up in the system while it loads: programs, paths, files, folders. Another answer may register
something else, so the agent remembers them.
"""

import os
import sys
import threading
from importlib.machinery import PathFinder

# : More lookups than this are a search through a tree; the rest becomes one "unknown".
MOST = 64
UNKNOWN = ("unknown", "")
# : Audit events of what has no answer that the agent could compare.
OPAQUE = frozenset(("subprocess.Popen", "os.system", "os.posix_spawn", "os.exec", "os.fork", "socket.connect"))
CODE = (".py", ".pyc", ".pyi", ".so", ".pyd", ".pth")
_listening = False
# : (kind, name) and whether it was found; None while no plugin is loading.
_found = None
_thread = None
_folder = ""
_originals = {}
_apart = ()


def begin(folder):
    """`folder` has the plugin's code."""
    global _found, _thread, _apart, _folder, _listening
    if not _listening:
        # It cannot be removed, and costs nothing measurable while no plugin is loading.
        sys.addaudithook(_heard)
        _listening = True
    end()
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    packages = [one for one in sys.path if one.endswith("-packages")]
    _apart = tuple(
        one.rstrip(os.sep) + os.sep for one in (*packages, os.path.dirname(os.__file__), here, "/proc", "/sys", "/dev")
    )
    _folder = folder.rstrip(os.sep) + os.sep
    _replace("stat", _stat)
    _replace("access", _access)
    if "shutil" in sys.modules:
        _replace_which(sys.modules["shutil"])
    else:
        sys.meta_path.insert(0, Shutil)
    _thread = threading.get_ident()
    _found = {}


def end():
    """The lookups since, as lists of kind, name and whether it was found."""
    global _found
    found, _found = _found, None
    if found is None:
        return []
    for (module, name), original in _originals.items():
        setattr(module, name, original)
    _originals.clear()
    if Shutil in sys.meta_path:
        sys.meta_path.remove(Shutil)
    return [[kind, name, known] for (kind, name), known in found.items()]


def missing_module(name):
    """The plugin's code imports a package that is not installed."""
    if not _active() or "." in name or name.startswith("_") or not _asked_by_plugin():
        return
    for one in sys.path:
        if one.endswith("-packages"):
            _add("path", os.path.join(one, name), False)


def _active():
    return _found is not None and threading.get_ident() == _thread


def _asked_by_plugin():
    frame = sys._getframe(2)
    while frame is not None and (
        "importlib" in frame.f_code.co_filename or frame.f_globals.get("__name__", "").startswith("_hermes_bridge")
    ):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(_folder)


def _add(kind, name, found):
    if (kind, name) in _found:
        return
    if len(_found) >= MOST:
        kind, name, found = (*UNKNOWN, None)
    _found[(kind, name)] = found


def _note(kind, path, found=None):
    if not _active():
        return
    try:
        name = os.fsdecode(path)
    except TypeError:
        return  # A descriptor.
    # A relative one stays relative to the working directory, which may be another one next time.
    whole = os.path.normpath(name if os.path.isabs(name) else os.path.join(os.getcwd(), name))
    if not whole.endswith(CODE) and not (whole + os.sep).startswith(_apart):
        _add(kind, name, found)


def _replace(name, function):
    original = getattr(os, name)
    _originals[(os, name)] = original
    # Libraries ask with these which options the function supports.
    for group in (os.supports_dir_fd, os.supports_effective_ids, os.supports_fd, os.supports_follow_symlinks):
        if original in group:
            group.add(function)
    setattr(os, name, function)


def _stat(path, *args, **options):
    stat = _REAL_STAT
    try:
        result = stat(path, *args, **options)
    except OSError:
        _note("path", path, False)
        raise
    _note("path", path, True)
    return result


def _access(path, *args, **options):
    result = _REAL_ACCESS(path, *args, **options)
    _note("path", path)
    return result


_REAL_STAT = os.stat
_REAL_ACCESS = os.access


def _replace_which(shutil):
    if (shutil, "which") in _originals:
        return
    original = shutil.which
    _originals[(shutil, "which")] = original

    def which(cmd, mode=os.F_OK | os.X_OK, path=None):
        global _found
        if not _active() or path is not None or os.path.dirname(cmd):
            return original(cmd, mode, path)
        # Not the single folders of PATH, which the agent looks through again.
        looked, _found = _found, None
        try:
            result = original(cmd, mode, path)
        finally:
            _found = looked
        _add("program", os.fsdecode(cmd), result is not None)
        return result

    shutil.which = which


class Shutil:
    """Replaces `which` when the plugin imports the module: it is slow to load, and most plugins do not need it."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "shutil" or not _active():
            return None
        spec = PathFinder.find_spec(name, path, target)
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            _replace_which(module)

        spec.loader.exec_module = exec_module
        return spec


def _heard(event, args):
    if _found is None or not _active():
        return
    if event == "open":
        path, mode, flags = args
        reads = "r" in mode and "+" not in mode if isinstance(mode, str) else (flags & os.O_ACCMODE) == os.O_RDONLY
        if reads and isinstance(path, (str, bytes)):
            _note("file", path)
    elif event in ("os.listdir", "os.scandir"):
        _note("folder", "." if args[0] is None else args[0])
    elif event in OPAQUE:
        _found.setdefault(UNKNOWN, None)
