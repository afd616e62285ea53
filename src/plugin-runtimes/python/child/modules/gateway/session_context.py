"""Variables of the session that a call belongs to."""

import os

from _hermes_bridge import current

_KEYS = {"HERMES_SESSION_ID": "session_id", "HERMES_SESSION_KEY": "session_key", "HERMES_SESSION_PLATFORM": "platform"}


def get_session_env(name, default=""):
    return current.place.get().get(_KEYS.get(name, "")) or os.environ.get(name, default)
