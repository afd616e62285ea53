"""The tool `skill_manage`, as a function."""

from _hermes_bridge.services.original import tool_function

skill_manage = tool_function(
    "skill_manage",
    "action name content category file_path file_content old_string new_string replace_all absorbed_into",
)
