"""The registry, for code that registers without a context."""

import json

from _hermes_bridge import current, loader
from _hermes_bridge import registry as bridge


def tool_error(message, **extra):
    return json.dumps({"error": str(message), **extra}, ensure_ascii=False)


def tool_result(data=None, **fields):
    return json.dumps(fields if data is None else data, ensure_ascii=False)


class ToolRegistry:
    def register(self, name, toolset=None, schema=None, handler=None, check_fn=None, requires_env=None, is_async=False, description="", emoji="", **_):
        context = loader.contexts.get(current.plugin.get())
        if context is None:
            raise RuntimeError("The tool %r was registered outside a plugin." % name)
        context.register_tool(name=name, toolset=toolset, schema=schema, handler=handler, check_fn=check_fn, requires_env=requires_env, is_async=is_async, description=description, emoji=emoji)

    def dispatch(self, name, args=None, **_):
        return bridge.wire.request("ctx.call_tool", {"plugin": current.plugin.get(), "tool": name, "args": args or {}})["text"]

    def get_all_tool_names(self):
        return [tool["name"] for tool in self._tools()]

    def get_toolset_for_tool(self, name):
        return next((tool["toolset"] for tool in self._tools() if tool["name"] == name), None)

    def _tools(self):
        return bridge.wire.request("ctx.tools", {"plugin": current.plugin.get()})


registry = ToolRegistry()
