"""Entries of the tool registry, whose handlers plugins wrap with their own."""

from . import current, loader, registry
from .loop import settle

# : By plugin and tool: the entries of other owners' tools that it received.
_others = {}


def own(plugin, name):
    """A tool of the plugin's own, or None."""
    functions = next(
        (functions for owner, tool, functions in registry.of_kind("tool") if owner == plugin and tool == name), None
    )
    return None if functions is None else Own(plugin, functions)


def other(plugin, name, toolset):
    """Another owner's tool: the same entry each time, because its wrapper stays."""
    key = (plugin, name)
    if key not in _others:
        shared = next((functions["entry"] for _, tool, functions in registry.of_kind("tool") if tool == name), {})
        _others[key] = Other(plugin, {**shared, "name": name, "toolset": toolset})
    return _others[key]


def takes(plugin, name, handler, schema):
    """A tool with the name of another owner's wraps that one, if its plugin read the other's handler."""
    entry = _others.get((plugin, name))
    if entry is None or not entry.asked:
        return False
    if schema and schema != entry.schema:
        loader.contexts[plugin]._refuse(
            'The tool "%s" belongs to another owner: it is wrapped, and its schema does not change.' % name
        )
    entry.handler = handler
    return True


def forget(plugin):
    for key in [one for one in _others if one[0] == plugin]:
        del _others[key]


class TextResult(str):
    """A result, for handlers that await it as well."""

    def __await__(self):
        return str(self)
        yield


class Entry:
    """All fields can be read; only the handler can be changed."""

    def __init__(self, plugin, known):
        schema = known.get("schema") or {}
        nothing = {
            "check_fn": None,
            "requires_env": [],
            "is_async": False,
            "emoji": "",
            "description": "",
            "max_result_size_chars": None,
            "dynamic_schema_overrides": None,
        }
        vars(self).update(
            {
                **nothing,
                **known,
                "schema": schema,
                "description": known.get("description") or schema.get("description", ""),
                "_plugin": plugin,
            }
        )

    def __setattr__(self, name, value):
        if name == "handler" and callable(value):
            return self._put(value)
        loader.contexts[self._plugin]._refuse(
            'A plugin can only change the handler of the tool "%s", to a callable, and not "%s".' % (self.name, name)
        )


class Own(Entry):
    def __init__(self, plugin, functions):
        super().__init__(plugin, functions["entry"])
        vars(self)["_functions"] = functions

    def _put(self, handler):
        vars(self)["handler"] = self._functions["run"] = self._functions["entry"]["handler"] = handler


class Other(Entry):
    asked = False

    def __init__(self, plugin, known):
        super().__init__(plugin, {**known, "is_async": False})
        vars(self).update(_calls={}, _wrapper=None)
        vars(self).pop("handler", None)

    def __getattr__(self, name):
        if name != "handler":
            raise AttributeError(name)
        vars(self)["asked"] = True
        return self._wrapper or self._original()

    def _put(self, handler):
        first = self._wrapper is None
        vars(self)["_wrapper"] = handler
        if first:
            loader.contexts[self._plugin]._add(
                "middleware", "tool_execution", {"name": "tool_execution", "tool": self.name}, run=self._run
            )

    def _run(self, args=None, next_call=None, **context):
        """A call of the tool, which is the plugin's now."""
        call = current.call.get()
        self._calls[call] = next_call
        try:
            handed = {name: context.get(name) for name in ("task_id", "session_id", "tool_call_id")}
            answer = settle(self._wrapper(args, **registry.accepted(self._wrapper, {**handed, "user_task": ""})))
            return str(answer) if isinstance(answer, TextResult) else answer
        finally:
            del self._calls[call]

    def _original(self):
        def handler(args=None, **_):
            calls = self._calls
            # A thread that the wrapper started has no call.
            goes_on = calls.get(current.call.get()) or (next(iter(calls.values())) if len(calls) == 1 else None)
            if goes_on is not None:
                return TextResult(goes_on(args or {}))
            if calls:
                raise RuntimeError(
                    "the handler of the tool %r was called outside of its call while several ran" % self.name
                )
            return TextResult(
                registry.wire.request("ctx.call_tool", {"plugin": self._plugin, "tool": self.name, "args": args or {}})[
                    "text"
                ]
            )

        handler.__name__ = handler.__qualname__ = self.name
        return handler
