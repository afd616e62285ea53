"""Model services that a plugin describes."""

from _hermes_bridge import current, loader

_profiles = {}
_aliases = {}


def register_provider(profile):
    context = loader.contexts.get(current.plugin.get())
    if context is None:
        raise RuntimeError("A model provider was registered outside a plugin.")
    _profiles[profile.name] = profile
    for alias in profile.aliases:
        _aliases[alias] = profile.name
    context._provide("model_profile", profile, label=profile.display_name or None, **profile.described())


def get_provider_profile(name):
    return _profiles.get(_aliases.get(name, name))


def list_providers():
    return list(_profiles.values())
