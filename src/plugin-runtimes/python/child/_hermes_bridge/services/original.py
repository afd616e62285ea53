"""Functions and classes of the original for plugins that import them: what they do goes through the agent."""

from .. import current, loader, registry
from ..watch.absent import report_member


def plugin():
    """The plugin whose code runs, also in a thread that it started, if no other is loaded here."""
    key = current.plugin.get()
    if key is None and len(loader.contexts) == 1:
        key = next(iter(loader.contexts))
    if key is None:
        raise RuntimeError("Call this from a tool, a hook or a command: here Hermes does not know for which plugin.")
    return key


def ask(method, **params):
    return registry.wire.request(method, {"plugin": plugin(), **params})


def call_tool(name, args):
    """The tool's JSON text, through the dispatch pipeline."""
    return ask("ctx.call_tool", tool=name, args=args)["text"]


def tool_function(tool, parameters):
    """
    A function of the original that is a tool. `parameters` are its names in order: `name:other` has another name in
    the tool, `name-` concerns only the original and is ignored, `name!` may not be given.
    """
    words = parameters.split()
    order = [one.rstrip("-!").split(":")[0] for one in words]
    passed = dict((one.split(":") * 2)[:2] for one in words if one[-1] not in "-!")

    def function(*args, **named):
        if len(args) > len(order):
            raise TypeError("%s() takes at most %d arguments, %d were given" % (tool, len(order), len(args)))
        given = dict(zip(order, args))
        for name, value in named.items():
            if name in given or name not in order:
                reason = "multiple values for" if name in given else "an unexpected"
                raise TypeError("%s() got %s argument %r" % (tool, reason, name))
            given[name] = value
        values = {passed[name]: value for name, value in given.items() if name in passed and value is not None}
        refused = sorted(name for name, value in given.items() if name + "!" in words and value is not None)
        if refused:
            raise TypeError("%s() has no argument %s here." % (tool, ", ".join(refused)))
        return call_tool(tool, values)

    function.__name__ = function.__qualname__ = tool
    return function


class Lacking:
    """Base of a class that has only some members of the original's: others are absent, and Hermes reports them."""

    # : Where the original has the class, and what to use instead.
    _original = ""
    _instead = ""

    def __getattr__(self, name):
        whole = "%s.%s" % (self._original, name)
        if not name.startswith("_"):
            report_member(whole)
        raise AttributeError("%s of the Python original does not exist here. %s" % (whole, self._instead))
