"""Where the built-in memory lies."""

from _hermes_bridge.home import home


def get_memory_dir():
    return home() / "memories"
