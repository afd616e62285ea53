"""The agent's folders."""

import os


def home():
    from pathlib import Path  # A slow import, and most plugins bring their own strings.

    return Path(os.environ.get("HERMES_HOME") or Path.home() / ".hermes")


def root():
    """The home of the default profile."""
    active = home()
    return active.parent.parent if active.parent.name == "profiles" else active
