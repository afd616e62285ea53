"""Model services that a plugin describes."""

from _hermes_bridge import current, loader

from .base import OMIT_TEMPERATURE, ProviderProfile  # noqa: F401 (others look for the first here, too)

HOOKS = ("prepare_messages", "build_extra_body", "build_api_kwargs_extras", "fetch_models")
_profiles = {}
_aliases = {}


def register_provider(profile):
    context = loader.contexts.get(current.plugin.get())
    if context is None:
        raise RuntimeError("A model provider was registered outside a plugin.")
    _profiles[profile.name] = profile
    for alias in profile.aliases:
        _aliases[alias] = profile.name
    context._provide(
        "model_profile",
        profile,
        label=profile.display_name or None,
        methods=_overridden(profile),
        **profile.described(),
    )


def _overridden(profile):
    """An inherited method need not be called, so it does not need this process."""
    return [name for name in HOOKS if getattr(type(profile), name, None) is not getattr(ProviderProfile, name)]


def get_provider_profile(name):
    return _profiles.get(_aliases.get(name, name))


def list_providers():
    return list(_profiles.values())
