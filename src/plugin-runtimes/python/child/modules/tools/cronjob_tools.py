"""The tool `cronjob`, as a function."""

from _hermes_bridge.services.original import tool_function

cronjob = tool_function(
    "cronjob",
    "action job_id prompt schedule name repeat deliver include_disabled- skill! skills model provider! base_url! reason! "
    "script context_from enabled_toolsets workdir no_agent attach_to_session! task_id-",
)
