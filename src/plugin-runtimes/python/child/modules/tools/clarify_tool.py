"""The tool `clarify`, as a function."""

from _hermes_bridge.services.original import tool_function

clarify_tool = tool_function("clarify", "question choices callback-")
