"""The context that `register(ctx)` is given, and the manager behind it."""

import re

from _hermes_bridge import current, loader, providers, registry
from _hermes_bridge.home import home
from _hermes_bridge.loop import settle

VALID_HOOKS = {
    "pre_tool_call", "post_tool_call", "transform_tool_result", "transform_terminal_output", "transform_llm_output",
    "pre_llm_call", "post_llm_call", "pre_api_request", "post_api_request", "api_request_error", "pre_verify",
    "on_session_start", "on_session_end", "on_session_finalize", "on_session_reset", "subagent_start", "subagent_stop",
    "pre_command", "pre_gateway_dispatch", "pre_approval_request", "post_approval_response",
    "kanban_task_claimed", "kanban_task_completed", "kanban_task_blocked",
}  # fmt: skip
ENTRY_POINTS_GROUP = "hermes_agent.plugins"
OBSERVER_SCHEMA_VERSION = "hermes.observer.v1"
get_hermes_home = home
VALID_MIDDLEWARE = {"tool_request", "llm_request", "tool_execution", "llm_execution"}


class PluginManifest:
    """Not a dataclass, whose module is the dearest import of a start."""

    def __init__(self, name, version="", description="", author="", kind="standalone", requires_env=None, provides_tools=None, provides_hooks=None, source="", path=None, key=""):
        self.name = name
        self.version = version
        self.description = description
        self.author = author
        self.kind = kind
        self.requires_env = requires_env or []
        self.provides_tools = provides_tools or []
        self.provides_hooks = provides_hooks or []
        self.source = source
        self.path = path
        self.key = key

    @classmethod
    def of(cls, params):
        names = ("name", "version", "description", "author", "kind", "requires_env", "provides_tools", "provides_hooks")
        known = {name: value for name, value in (params.get("manifest") or {}).items() if name in names}
        return cls(**{**known, "path": params["dir"], "key": params["plugin"], "source": params.get("source", "")})


class PluginContext:
    """One plugin's door. A member that is not here does not exist: plugins probe with hasattr."""

    def __init__(self, manifest, key, config):
        self.manifest = manifest
        self._key = key
        self._config = config
        self._counts = {}
        self._providers = []
        #: (slot, id, provider), for the registries that plugins ask.
        self._slots = []
        self._skills = {}
        self._llm = None
        self._memory = None

    def _add(self, kind, name, data, **functions):
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return registry.add(self._key, kind, name, data, **functions)

    def _provide(self, slot, provider, name=None, **data):
        identity = name or getattr(provider, "name", None)
        if not isinstance(identity, str) or not identity.strip():
            raise ValueError("A %s provider needs a name." % slot)
        label = data.pop("label", None) or getattr(provider, "display_name", None)
        self._providers.append(provider)
        self._slots.append((slot, identity, provider))
        data = {"methods": providers.methods_of(provider), **data}
        return self._add("provider", "%s/%s" % (slot, identity), {"slot": slot, "id": identity, "label": label if isinstance(label, str) else None, "data": data}, provider=provider)

    @property
    def profile_name(self):
        return loader.agent.get("profile") or "default"

    @property
    def llm(self):
        if self._llm is None:
            from _hermes_bridge.llm import PluginLlm

            self._llm = PluginLlm(self._key)
        return self._llm

    def fetch(self, url, **options):
        """The guarded way to the network: `method`, `headers`, `body`, `timeout`, `max_bytes`, `max_redirects`, `hosts`."""
        from _hermes_bridge.services import fetch

        return fetch(self._key, url, **options)

    @property
    def storage(self):
        from _hermes_bridge.services import Storage

        return Storage(self._key)

    @property
    def sessions(self):
        from _hermes_bridge.services import Sessions

        return Sessions(self._key)

    @property
    def config(self):
        """The plugin's own section of config.yaml."""
        return dict(self._config)

    def get_config(self, key=None, default=None):
        return dict(self._config) if key is None else self._config.get(key, default)

    def register_tool(self, name, toolset=None, schema=None, handler=None, check_fn=None, requires_env=None, is_async=False, description="", emoji="", override=False, secrets=None):
        if name is ...:  # As the guide leaves it out: `ctx.register_tool(...)`.
            return
        if not callable(handler):
            raise TypeError("The tool %r has no handler." % name)
        if not registry.accepted(handler, {"any": None}):
            words = "The handler of the tool %r of the plugin %r takes no **kwargs, which every handler does; it is given what it names." % (name, self._key)
            registry.wire.notify("log", {"plugin": self._key, "level": "info", "message": words})
        data = {
            "name": name, "toolset": toolset, "schema": schema or {}, "requires_env": requires_env or [],
            "description": description, "emoji": emoji, "override": bool(override), "checked": check_fn is not None,
            "secrets": [dict(sink) for sink in secrets or []],
        }  # fmt: skip
        entry = {"name": name, "toolset": toolset, "schema": schema, "handler": handler, "check_fn": check_fn, "requires_env": requires_env, "is_async": is_async, "description": description, "emoji": emoji}
        self._add("tool", name, data, run=handler, check=check_fn, entry=entry)

    def register_hook(self, hook_name, callback):
        if not callable(callback):
            raise TypeError("The callback of the hook %r cannot be called." % hook_name)
        self._add("hook", hook_name, {"name": hook_name}, run=callback)

    def register_middleware(self, kind, callback):
        if not callable(callback):
            raise TypeError("The callback of the middleware %r cannot be called." % kind)
        self._add("middleware", kind, {"name": kind}, run=callback)

    def register_command(self, name, handler, description="", args_hint="", help=""):
        run = handler
        wanted = _parameters_of(handler)
        if wanted == 2:
            def run(text):
                return handler(self, text)
        elif wanted == 0:
            def run(text):
                return handler()
        self._add("command", name, {"name": name, "description": description or help or "Plugin command", "args_hint": args_hint}, run=run)

    def register_cli_command(self, name, help="", setup_fn=None, handler_fn=None, description=""):
        self._add("cli", name, {"name": name, "description": help or description, "long": description or help}, setup=setup_fn, run=handler_fn)

    def register_skill(self, name, path, description=""):
        if ":" in name or not re.fullmatch(r"[a-zA-Z0-9_-]+", name or ""):
            raise ValueError("A skill's name has letters, digits, _ and -, not %r." % name)
        from pathlib import Path

        path = Path(path)
        if not path.exists():
            raise FileNotFoundError("There is no skill file %s" % path)
        self._skills[name] = path
        self._add("skill", name, {"name": name, "path": str(path.resolve()), "description": description})

    def dispatch_tool(self, tool_name, args=None, *, parent_agent=None, **kwargs):
        """Any tool by the one road: approval, hooks, redaction and limits as for a model's call. Its JSON text."""
        params = {"plugin": self._key, "tool": tool_name, "args": args or {}}
        if parent_agent is not None:
            params["session"] = _session_of(parent_agent)
        return registry.wire.request("ctx.call_tool", params)["text"]

    def inject_message(self, content, role="user"):
        text = content if role == "user" else "[%s] %s" % (role, content)
        return bool(registry.wire.request("ctx.inject", {"plugin": self._key, "text": text}))

    def register_auxiliary_task(self, key, *, display_name, description, defaults=None):
        if not re.fullmatch(r"[A-Za-z0-9_]+", key or ""):
            raise ValueError("An auxiliary task's key has letters, digits and _, not %r." % key)
        fields = {"provider": "auto", "model": "", "base_url": "", "api_key": "", "timeout": 60, "extra_body": {}, **(defaults or {})}
        task = type("AuxiliaryTask", (), {"name": key, "defaults": fields})()
        self._provide("auxiliary", task, label=display_name, description=description, defaults=fields)

    def register_memory_provider(self, provider):
        self._provide("memory", provider)
        self._memory = provider.name

    def register_context_engine(self, engine):
        self._provide("context", engine, asked_from=getattr(engine, "asked_from", 0))

    def register_image_gen_provider(self, provider):
        self._provide("image_gen", provider)

    def register_video_gen_provider(self, provider):
        self._provide("video_gen", provider)

    def register_web_search_provider(self, provider):
        self._provide("web", provider)

    def register_browser_provider(self, provider):
        self._provide("browser", provider)

    def register_tts_provider(self, provider):
        self._provide("tts", provider)

    def register_transcription_provider(self, provider):
        self._provide("stt", provider)

    def register_dashboard_auth_provider(self, provider):
        self._provide("dashboard_auth", provider)

    def register_secret_source(self, source):
        self._provide("secrets", source, shape=getattr(source, "shape", None), scheme=getattr(source, "scheme", None))

    def register_platform(self, name, label="", adapter_factory=None, check_fn=None, validate_config=None, required_env=None, install_hint="", **entry):
        from gateway.platform_registry import PlatformEntry, platform_registry

        found = PlatformEntry(name=name, label=label or name, adapter_factory=adapter_factory, check_fn=check_fn, validate_config=validate_config, required_env=list(required_env or []), install_hint=install_hint, **entry)
        platform_registry.register(found)
        self._provide("platform", found, name=name, label=found.label, **found.described())

    def register_slack_action_handler(self, action_id, callback):
        if not callable(callback) or not action_id:
            raise ValueError("A Slack action needs an id and something to call.")
        handler = type("SlackAction", (), {"name": str(action_id), "handle": staticmethod(callback)})()
        self._provide("slack_action", handler)


def _parameters_of(handler):
    """How many it must be given. The guide shows handlers of two, the context first; some take none; 1 where it cannot be told."""
    import inspect

    try:
        parameters = inspect.signature(handler).parameters.values()
    except (TypeError, ValueError):
        return 1
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return 1
    places = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return 0 if not places else len([one for one in places if one.default is one.empty]) or 1


class LoadedPlugin:
    def __init__(self, manifest, module=None, enabled=True, error=None):
        self.manifest = manifest
        self.module = module
        self.enabled = enabled
        self.error = error


class PluginManager:
    """The plugins of this process; the agent keeps the others."""

    @property
    def _plugins(self):
        return {key: LoadedPlugin(context.manifest) for key, context in loader.contexts.items()}

    @property
    def _hooks(self):
        hooks = {}
        for handle, functions in list(registry._callables.items()):
            _, _, rest = handle.partition("/hook:")
            if rest:
                hooks.setdefault(rest.rsplit("#", 1)[0], []).append(functions["run"])
        return hooks

    def discover_and_load(self, force=False):
        return None

    def list_plugins(self):
        return [{"name": context.manifest.name, "key": key, "version": context.manifest.version, "description": context.manifest.description, "enabled": True, "error": None} for key, context in loader.contexts.items()]

    def has_hook(self, name):
        return bool(self._hooks.get(name))

    def has_middleware(self, kind):
        return any("/middleware:%s#" % kind in handle for handle in list(registry._callables))

    def invoke_hook(self, name, **payload):
        results = []
        for callback in self._hooks.get(name, []):
            try:
                answer = callback(**payload)
            except Exception:
                import logging

                logging.getLogger(__name__).warning("A callback of the hook %s raised.", name, exc_info=True)
                continue
            if answer is not None:
                results.append(answer)
        return results

    def find_plugin_skill(self, qualified):
        owner, _, name = qualified.partition(":")
        for context in loader.contexts.values():
            if context.manifest.name == owner and name in context._skills:
                return context._skills[name]
        return None


_manager = PluginManager()


def get_plugin_manager():
    return _manager


def discover_plugins(force=False):
    _manager.discover_and_load(force)


def invoke_hook(name, **payload):
    return _manager.invoke_hook(name, **payload)


def has_hook(name):
    return _manager.has_hook(name)


def has_middleware(kind):
    return _manager.has_middleware(kind)


def get_plugin_commands():
    """Slash commands of this process, by name."""
    found = {}
    for handle, functions in list(registry._callables.items()):
        plugin, _, rest = handle.partition("/command:")
        if rest:
            found[rest.rsplit("#", 1)[0]] = {"handler": functions["run"], "description": "", "plugin": plugin}
    return found


def get_plugin_command_handler(name):
    return get_plugin_commands().get(name, {}).get("handler")


def resolve_plugin_command_result(result):
    return settle(result)


def get_pre_tool_call_block_message(tool_name, args, task_id="", session_id="", tool_call_id="", **more):
    """What the guards of this process say; the agent asks those of the others."""
    for answer in invoke_hook("pre_tool_call", tool_name=tool_name, args=args or {}, task_id=task_id, session_id=session_id, tool_call_id=tool_call_id, **more):
        if isinstance(answer, dict) and answer.get("action") == "block" and answer.get("message"):
            return answer["message"]
    return None


def get_bundled_plugins_dir():
    return home() / "plugins"


def current_plugin():
    return current.plugin.get()


def _session_of(agent):
    """An agent as plugins hold one: anything that knows its session's id."""
    known = agent if isinstance(agent, str) else agent.get("session_id") if isinstance(agent, dict) else getattr(agent, "session_id", None)
    if not isinstance(known, str) or known == "":
        raise TypeError("parent_agent has no session_id: %r" % (agent,))
    return known
