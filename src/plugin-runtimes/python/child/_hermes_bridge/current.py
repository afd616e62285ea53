"""The context that the running code belongs to."""

import contextvars

# : Identity of the agent's call, or None.
call = contextvars.ContextVar("hermes_call", default=None)
# : The plugin that is loading, or whose code runs.
plugin = contextvars.ContextVar("hermes_plugin", default=None)
# : The target of prints while a `hermes NAME` command runs.
output = contextvars.ContextVar("hermes_output", default=None)
# : Session, platform and directory of the call.
place = contextvars.ContextVar("hermes_place", default={})


class Cancelled(BaseException):
    """The agent cancelled the call. Not an Exception, so that a handler's own `except Exception` does not catch it."""
