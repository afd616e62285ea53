"""The folder of the built-in memory."""

from _hermes_bridge.home import home


def get_memory_dir():
    return home() / "memories"
