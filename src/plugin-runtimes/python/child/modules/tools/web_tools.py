"""The web tools, as functions."""

from _hermes_bridge.services.llm import aside
from _hermes_bridge.services.original import tool_function

web_search_tool = tool_function("web_search", "query limit")
_extract = tool_function("web_extract", "urls format! char_limit")


async def web_extract_tool(*args, **named):
    return await aside(lambda: _extract(*args, **named))
