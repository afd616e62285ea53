"""How tools are displayed."""

from tools.registry import registry


def get_tool_emoji(tool_name, default="⚡"):
    return registry.get_emoji(tool_name, default)
