"""Imports a plugin's folder and runs its `register(ctx)`."""

import importlib
import importlib.util
import os
import sys
import types

from . import current, logs, own_names, registering, registry, wrapped
from .loop import settle
from .own_names import slug
from .watch import environment, lookups

NAMESPACE = "hermes_plugins"
# : The agent's own data: home, profile, version, platform.
agent = {}
# : Context members that this runtime does not have, with the reason and the alternative.
refused = {}
contexts = {}


def prepare(params):
    agent.update(params.get("agent") or {})
    refused.update(params.get("refused") or {})
    package = types.ModuleType(NAMESPACE)
    package.__path__ = []
    sys.modules[NAMESPACE] = package


def load(params):
    from _hermes_bridge.context import PluginContext, PluginManifest

    key, folder = params["plugin"], params["dir"]
    environment.grant(params.get("env") or {})
    unload(key)
    if params.get("handler"):
        return adopt_handler(key, params["entry"])
    manifest = PluginManifest.of(params)
    context = PluginContext(manifest, key, params.get("config") or {})
    contexts[key] = context
    token = current.plugin.set(key)
    environment.begin_reads()
    lookups.begin(folder)
    try:
        installed = params.get("module")
        module = import_installed(installed) if installed else import_folder(key, folder, manifest.name)
        logs.bridge(contexts)
        if not registering.register(module, context, bool(installed)):
            raise RuntimeError(
                "no register() function in %s"
                % (installed["name"] if installed else os.path.join(folder, "__init__.py"))
            )
        adopt_cli(package_of(installed["name"]) if installed else module.__name__, folder, context)
        return {"reads": environment.end_reads(), "lookups": lookups.end()}
    except BaseException:
        registry.forget(key)
        contexts.pop(key, None)
        raise
    finally:
        environment.end_reads()
        lookups.end()
        current.plugin.reset(token)


def package_of(name):
    """The provider's module may be one of several in its package."""
    return sys.modules[name].__package__ or name


def adopt_handler(key, file):
    """A file with `handle(event_type, context)`."""
    full = "%s.%s" % (NAMESPACE, slug(key))
    spec = importlib.util.spec_from_file_location(full, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[full] = module
    token = current.plugin.set(key)
    try:
        spec.loader.exec_module(module)
    finally:
        current.plugin.reset(token)
    handle = getattr(module, "handle", None)
    if not callable(handle):
        raise RuntimeError("no handle() function in %s" % file)
    registry.add(key, "hook", "handle", {"name": "handle"}, run=lambda event_type, context: handle(event_type, context))


def adopt_cli(package, folder, context):
    """A memory provider's commands are in `cli.py`, which may also run as a program."""
    name = getattr(context, "_memory", None)
    if (
        name is None
        or registry.has(context._key, "cli", name)
        or not mentions(os.path.join(folder, "cli.py"), "register_cli")
    ):
        return
    module = importlib.import_module("%s.cli" % package)
    setup = getattr(module, "register_cli", None)
    if callable(setup):
        context.register_cli_command(
            name,
            help="Commands of the memory provider %s" % name,
            setup_fn=setup,
            handler_fn=getattr(module, "%s_command" % slug(name), None),
        )


def mentions(file, word):
    try:
        with open(file, encoding="utf-8", errors="replace") as text:
            return word in text.read()
    except OSError:
        return False


def import_folder(key, folder, name):
    full = "%s.%s" % (NAMESPACE, slug(key))
    spec = importlib.util.spec_from_file_location(
        full, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[full] = module
    setattr(sys.modules[NAMESPACE], slug(key), module)
    own_names.give(module, key, name, folder)
    spec.loader.exec_module(module)
    return module


def import_installed(entry):
    found = importlib.import_module(entry["name"])
    for name in (entry.get("attribute") or "").split("."):
        found = getattr(found, name) if name else found
    return found


def unload(key):
    context = contexts.pop(key, None)
    if context is not None:
        clean_up(context)
    registry.forget(key)
    wrapped.forget(key)
    full = "%s.%s" % (NAMESPACE, slug(key))
    if full in sys.modules:
        own_names.take_back(sys.modules[full])


def clean_up(context):
    """Runs the cleanups that the plugin requested, last first."""
    context._unloaded.set()
    while context._cleanups:
        try:
            settle(context._cleanups.pop()())
        except Exception as cause:
            print("on_unload of %s: %s: %s" % (context._key, type(cause).__name__, cause), file=sys.stderr)


def unload_all():
    """The agent ends: notifies providers that hold resources."""
    for context in list(contexts.values()):
        clean_up(context)
        for provider in context._providers:
            shut = getattr(provider, "shutdown", None)
            if callable(shut):
                try:
                    settle(shut())
                except Exception as cause:
                    print("shutdown of %s: %s" % (context._key, cause), file=sys.stderr)
