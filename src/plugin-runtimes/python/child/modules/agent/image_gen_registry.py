"""Image backends of this process."""

from _hermes_bridge import current, loader

_SLOT = "image_gen"


def register_provider(provider):
    context = loader.contexts.get(current.plugin.get())
    if context is None:
        raise RuntimeError("An image backend was registered outside a plugin.")
    context.register_image_gen_provider(provider)


def list_providers():
    found = [
        (name, provider)
        for context in list(loader.contexts.values())
        for slot, name, provider in context._slots
        if slot == _SLOT
    ]
    return [provider for _, provider in sorted(found, key=lambda one: one[0])]


def get_provider(name):
    return next((provider for provider in list_providers() if provider.name == name), None)


def get_active_provider():
    """The one that the settings name, if it is in this process."""
    from hermes_cli.config import cfg_get, load_config

    return get_provider(cfg_get(load_config(), _SLOT, "provider", default=""))
