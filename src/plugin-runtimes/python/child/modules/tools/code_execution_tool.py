"""The tool `execute_code`, as a function."""

from _hermes_bridge.services.original import tool_function

execute_code = tool_function("execute_code", "code task_id- enabled_tools!")
