"""The folder of the built-in memory."""

from _hermes_bridge.home import home
from _hermes_bridge.services.original import tool_function


def get_memory_dir():
    return home() / "memories"


memory_tool = tool_function("memory", "action target content old_text operations store-")
