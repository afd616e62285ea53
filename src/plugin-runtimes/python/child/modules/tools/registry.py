"""The registry, for code that registers without a context."""

import json
from collections.abc import MutableMapping

from _hermes_bridge import current, loader, wrapped
from _hermes_bridge import registry as bridge
from _hermes_bridge.watch.absent import never_called


def tool_error(message, **extra):
    return json.dumps({"error": str(message), **extra}, ensure_ascii=False)


def tool_result(data=None, **fields):
    return json.dumps(fields if data is None else data, ensure_ascii=False)


class ToolEntry:
    def __init__(
        self,
        name,
        toolset=None,
        schema=None,
        handler=None,
        check_fn=None,
        requires_env=None,
        is_async=False,
        description="",
        emoji="",
    ):
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
    def register(
        self,
        name,
        toolset=None,
        schema=None,
        handler=None,
        check_fn=None,
        requires_env=None,
        is_async=False,
        description="",
        emoji="",
        **_,
    ):
        context = loader.contexts.get(current.plugin.get())
        if context is None:
            raise RuntimeError("The tool %r was registered outside a plugin." % name)
        context.register_tool(
            name=name,
            toolset=toolset,
            schema=schema,
            handler=handler,
            check_fn=check_fn,
            requires_env=requires_env,
            is_async=is_async,
            description=description,
            emoji=emoji,
        )

    def deregister(self, name):
        raise PermissionError("The tool %r stays: disable its plugin to remove its tools." % name)

    def __setattr__(self, name, value):
        if hasattr(type(self), name):
            raise never_called(name, "the registry")
        super().__setattr__(name, value)

    def dispatch(self, name, args=None, **_):
        return bridge.wire.request("ctx.call_tool", {"plugin": current.plugin.get(), "tool": name, "args": args or {}})[
            "text"
        ]

    def get_all_tool_names(self):
        return [tool["name"] for tool in self._known()]

    def get_toolset_for_tool(self, name):
        return next((tool["toolset"] for tool in self._known() if tool["name"] == name), None)

    def get_tool_names_for_toolset(self, toolset):
        return [tool["name"] for tool in self._known() if tool["toolset"] == toolset]

    def get_tool_to_toolset_map(self):
        return {tool["name"]: tool["toolset"] for tool in self._known()}

    def get_entry(self, name):
        """For a tool outside this process, name and toolset are known, and its handler is a call of it."""
        plugin = current.plugin.get()
        own = wrapped.own(plugin, name)
        if own is not None:
            return own
        toolset = self.get_toolset_for_tool(name)
        return None if toolset is None else wrapped.other(plugin, name, toolset)

    def get_schema(self, name):
        entry = self.get_entry(name)
        return (entry and entry.schema) or None

    def get_emoji(self, name, default="⚡"):
        entry = self.get_entry(name)
        return (entry.emoji if entry is not None else "") or default

    @property
    def _tools(self):
        return Tools(self)

    def _known(self):
        return bridge.wire.request("ctx.tools", {"plugin": current.plugin.get()})


class Tools(MutableMapping):
    """All tools by name. Another entry under a name is another handler for the tool."""

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
        return entry

    def __setitem__(self, name, entry):
        if name in self._names:
            self[name].handler = entry.handler
        else:
            self._registry.register(
                name,
                entry.toolset,
                entry.schema,
                entry.handler,
                entry.check_fn,
                entry.requires_env,
                entry.is_async,
                entry.description,
                entry.emoji,
            )

    def __delitem__(self, name):
        self._registry.deregister(name)


registry = ToolRegistry()
