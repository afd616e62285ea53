"""Tools, through the dispatch pipeline."""

from _hermes_bridge import current
from _hermes_bridge import registry as bridge
from tools.registry import registry


def handle_function_call(function_name, function_args, task_id=None, **_):
    return bridge.wire.request(
        "ctx.call_tool", {"plugin": current.plugin.get(), "tool": function_name, "args": function_args or {}}
    )["text"]


def get_all_tool_names():
    return registry.get_all_tool_names()


def get_toolset_for_tool(tool_name):
    return registry.get_toolset_for_tool(tool_name)
