"""All registrations of plugins, and how each is called."""

import threading
import types

# : The wire, set once by `host`.
wire = None

_lock = threading.Lock()
_callables = {}
_counts = {}


def add(plugin, kind, name, data, **functions):
    """Sends a registration to the agent. The handle is the same every time the plugin is loaded, so the agent can
    continue to use it.
    """
    with _lock:
        count = _counts.get((plugin, kind, name), 0)
        _counts[(plugin, kind, name)] = count + 1
        handle = "%s/%s:%s#%d" % (plugin, kind, name, count)
        _callables[handle] = functions
    wire.notify("register", {"plugin": plugin, "kind": kind, "handle": handle, **data})
    return handle


def find(handle):
    functions = _callables.get(handle)
    if functions is None:
        raise LookupError("%s is not registered in this process" % handle)
    return functions


def of_kind(kind):
    """(plugin, name, functions) of everything of a kind that is registered in this process."""
    for handle, functions in list(_callables.items()):
        plugin, found, rest = handle.partition("/%s:" % kind)
        if found:
            yield plugin, rest.rsplit("#", 1)[0], functions


def has(plugin, kind, name):
    return (plugin, kind, name) in _counts


def forget(plugin):
    with _lock:
        for handle in [one for one in _callables if one.startswith(plugin + "/")]:
            del _callables[handle]
        for key in [one for one in _counts if one[0] == plugin]:
            del _counts[key]


_accepted = {}


def accepted(function, keywords):
    """The keywords this function takes: all of them with `**kwargs`, else those it names."""
    names = _accepted.get(function, ...) if _hashable(function) else ...
    if names is ...:
        names = _names(function)
        if _hashable(function):
            _accepted[function] = names
    return keywords if names is None else {name: value for name, value in keywords.items() if name in names}


# : Flag of a code object whose function has `**kwargs`.
_TAKES_KEYWORDS = 0x08


def _names(function):
    plain = function.__func__ if isinstance(function, types.MethodType) else function
    if (
        isinstance(plain, types.FunctionType)
        and not hasattr(plain, "__wrapped__")
        and not hasattr(plain, "__signature__")
    ):
        code = plain.__code__
        return (
            None
            if code.co_flags & _TAKES_KEYWORDS
            else set(code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount])
        )
    import inspect  # A slow import, only needed for callables that are not plain functions.

    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters):
        return None
    return {
        one.name
        for one in parameters
        if one.kind in (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    }


def _hashable(value):
    try:
        hash(value)
    except TypeError:
        return False
    return True
