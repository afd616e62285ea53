"""The file tools, as functions."""

from _hermes_bridge.services.original import tool_function

read_file_tool = tool_function("read_file", "path offset limit task_id-")
write_file_tool = tool_function("write_file", "path content task_id- cross_profile- session_id-")
patch_tool = tool_function(
    "patch", "mode path old_string new_string replace_all patch task_id- cross_profile- session_id-"
)
search_tool = tool_function("search_files", "pattern target path file_glob limit offset output_mode context task_id-")
