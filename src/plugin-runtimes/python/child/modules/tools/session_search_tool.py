"""The tool `session_search`, as a function."""

from _hermes_bridge.services.original import tool_function

session_search = tool_function(
    "session_search",
    "query role_filter limit db- current_session_id- session_id around_message_id window sort profile!",
)
