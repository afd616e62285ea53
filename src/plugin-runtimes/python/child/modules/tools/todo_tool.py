"""The tool `todo`, as a function."""

from _hermes_bridge.services.original import tool_function

todo_tool = tool_function("todo", "todos merge store-")
