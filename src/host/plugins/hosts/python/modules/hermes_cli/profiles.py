"""The profile that is active."""

from _hermes_bridge import loader


def get_active_profile_name():
    return loader.agent.get("profile") or "default"
