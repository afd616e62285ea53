"""The registry, for code that registers without a context."""

import json
from collections.abc import Mapping

from _hermes_bridge import current, loader
from _hermes_bridge import registry as bridge


def tool_error(message, **extra):
    return json.dumps({"error": str(message), **extra}, ensure_ascii=False)


def tool_result(data=None, **fields):
    return json.dumps(fields if data is None else data, ensure_ascii=False)


class ToolEntry:
    def __init__(self, name, toolset=None, schema=None, handler=None, check_fn=None, requires_env=None, is_async=False, description="", emoji=""):
        self.name = name
        self.toolset = toolset
        self.schema = schema or {}
        self.handler = handler
        self.check_fn = check_fn
        self.requires_env = requires_env or []
        self.is_async = is_async
        self.description = description or self.schema.get("description", "")
        self.emoji = emoji


class ToolRegistry:
    def register(self, name, toolset=None, schema=None, handler=None, check_fn=None, requires_env=None, is_async=False, description="", emoji="", **_):
        context = loader.contexts.get(current.plugin.get())
        if context is None:
            raise RuntimeError("The tool %r was registered outside a plugin." % name)
        context.register_tool(name=name, toolset=toolset, schema=schema, handler=handler, check_fn=check_fn, requires_env=requires_env, is_async=is_async, description=description, emoji=emoji)

    def dispatch(self, name, args=None, **_):
        return bridge.wire.request("ctx.call_tool", {"plugin": current.plugin.get(), "tool": name, "args": args or {}})["text"]

    def get_all_tool_names(self):
        return [tool["name"] for tool in self._known()]

    def get_toolset_for_tool(self, name):
        return next((tool["toolset"] for tool in self._known() if tool["name"] == name), None)

    def get_tool_names_for_toolset(self, toolset):
        return [tool["name"] for tool in self._known() if tool["toolset"] == toolset]

    def get_tool_to_toolset_map(self):
        return {tool["name"]: tool["toolset"] for tool in self._known()}

    def get_entry(self, name):
        """A tool of this process; of another's only its name and toolset are known."""
        own = next((functions["entry"] for handle, functions in list(bridge._callables.items()) if "/tool:%s#" % name in handle), None)
        if own is not None:
            return ToolEntry(**own)
        toolset = self.get_toolset_for_tool(name)
        return None if toolset is None else ToolEntry(name=name, toolset=toolset)

    def get_schema(self, name):
        entry = self.get_entry(name)
        return None if entry is None or entry.handler is None else entry.schema

    def get_emoji(self, name, default="⚡"):
        entry = self.get_entry(name)
        return (entry.emoji if entry is not None else "") or default

    @property
    def _tools(self):
        return Tools(self)

    def _known(self):
        return bridge.wire.request("ctx.tools", {"plugin": current.plugin.get()})


class Tools(Mapping):
    """All tools by name. Those of this process are there whole; the others run elsewhere, and whoever would wrap them is told what to do instead."""

    def __init__(self, registry):
        self._registry = registry
        self._names = registry.get_all_tool_names()

    def __iter__(self):
        return iter(self._names)

    def __len__(self):
        return len(self._names)

    def __contains__(self, name):
        return name in self._names

    def __getitem__(self, name):
        entry = self._registry.get_entry(name)
        if entry is None:
            raise KeyError(name)
        if entry.handler is None:
            raise RuntimeError("the tool %r does not run in this process, so its handler cannot be wrapped: listen to the hook pre_tool_call, or register the middleware tool_execution, which see every call" % name)
        return entry


registry = ToolRegistry()
