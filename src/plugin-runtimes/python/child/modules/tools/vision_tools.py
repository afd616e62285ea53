"""The tool `vision_analyze`, as a function."""

from _hermes_bridge.services.llm import aside
from _hermes_bridge.services.original import tool_function

_analyze = tool_function("vision_analyze", "image_url user_prompt:question model! task_id-")


async def vision_analyze_tool(*args, **named):
    return await aside(lambda: _analyze(*args, **named))
