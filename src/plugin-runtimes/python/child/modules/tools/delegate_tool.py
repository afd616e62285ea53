"""The tool `delegate_task`, as a function."""

from _hermes_bridge.services.original import tool_function

delegate_task = tool_function("delegate_task", "goal context tasks max_iterations! role background- parent_agent-")
