"""The tool `terminal`, as a function."""

from _hermes_bridge.services.original import tool_function
from tools.registry import registry

terminal_tool = tool_function(
    "terminal",
    "command background timeout task_id- session_id- force- workdir pty notify_on_complete watch_patterns",
)


def check_terminal_requirements():
    return "terminal" in registry.get_all_tool_names()
