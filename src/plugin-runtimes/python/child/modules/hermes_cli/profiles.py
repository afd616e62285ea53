"""Profiles: the active one, and those beside it."""

from types import SimpleNamespace

from _hermes_bridge import loader
from _hermes_bridge.home import root


def get_active_profile_name():
    return loader.agent.get("profile") or "default"


get_active_profile = get_active_profile_name


def get_profile_dir(name):
    return root() if name == "default" else root() / "profiles" / name


def profile_exists(name):
    return get_profile_dir(name).is_dir()


def list_profiles():
    below = root() / "profiles"
    names = sorted(folder.name for folder in below.iterdir() if folder.is_dir()) if below.is_dir() else []
    return [
        SimpleNamespace(
            name=name,
            path=get_profile_dir(name),
            is_default=name == "default",
            gateway_running=False,
            has_env=(get_profile_dir(name) / ".env").is_file(),
            description="",
        )
        for name in ["default", *names]
    ]
