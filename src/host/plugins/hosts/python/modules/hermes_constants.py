"""Places, as plugins ask for them."""

from _hermes_bridge.home import home as get_hermes_home
from _hermes_bridge.home import root as get_default_hermes_root

__all__ = ["get_hermes_home", "get_default_hermes_root", "get_hermes_dir", "get_config_path", "get_env_path", "get_skills_dir", "display_hermes_home"]


def get_hermes_dir(name, old_name=None):
    """A folder of the home; under its former name where only that one exists."""
    new = get_hermes_home() / name
    old = get_hermes_home() / old_name if old_name else new
    return old if old.exists() and not new.exists() else new


def get_config_path():
    return get_hermes_home() / "config.yaml"


def get_env_path():
    return get_hermes_home() / ".env"


def get_skills_dir():
    return get_hermes_home() / "skills"


def display_hermes_home():
    from pathlib import Path

    try:
        return "~/%s" % get_hermes_home().relative_to(Path.home())
    except ValueError:
        return str(get_hermes_home())
