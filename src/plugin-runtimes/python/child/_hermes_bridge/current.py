"""What the running code belongs to."""

import contextvars

#: Identity of the call that the agent made, or None.
call = contextvars.ContextVar("hermes_call", default=None)
#: The plugin that is being loaded, or whose code runs.
plugin = contextvars.ContextVar("hermes_plugin", default=None)
#: Where prints go while a `hermes NAME` command runs.
output = contextvars.ContextVar("hermes_output", default=None)
#: Session, platform and directory of the call.
place = contextvars.ContextVar("hermes_place", default={})


class Cancelled(BaseException):
    """The agent no longer wants the answer. Not an Exception, so that a handler's own `except Exception` lets it pass."""
