"""Where the agent keeps things."""

import os


def home():
    from pathlib import Path  # Dear, and most plugins bring their own strings.

    return Path(os.environ.get("HERMES_HOME") or Path.home() / ".hermes")


def root():
    """The home of the default profile."""
    active = home()
    return active.parent.parent if active.parent.name == "profiles" else active
