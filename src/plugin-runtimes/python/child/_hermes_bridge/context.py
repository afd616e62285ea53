"""The context that `register(ctx)` receives."""

import re
import threading

from _hermes_bridge import providers, registry, wrapped
from _hermes_bridge.members import Members


class PluginManifest:
    """Not a dataclass, whose module is the slowest import of a start."""

    def __init__(
        self,
        name,
        version="",
        description="",
        author="",
        kind="standalone",
        requires_env=None,
        provides_tools=None,
        provides_hooks=None,
        source="",
        path=None,
        key="",
    ):
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


class PluginContext(Members):
    """The plugin API for one plugin."""

    def __init__(self, manifest, key, config):
        self.manifest = manifest
        self._key = key
        self._config = config
        self._counts = {}
        self._providers = []
        # : (slot, id, provider), for the registries that plugins read.
        self._slots = []
        self._skills = {}
        self._llm = None
        self._memory = None
        self._prompt = None
        self._cleanups = []
        self._unloaded = threading.Event()

    def _add(self, kind, name, data, **functions):
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return registry.add(self._key, kind, name, data, **functions)

    def _refuse(self, reason):
        """One bad registration does not stop the plugin: the agent reports it to the user."""
        self._add("refused", reason, {"reason": reason})

    def _provide(self, slot, provider, name=None, **data):
        identity = name or getattr(provider, "name", None)
        if not isinstance(identity, str) or not identity.strip():
            raise ValueError("A %s provider needs a name." % slot)
        label = data.pop("label", None) or getattr(provider, "display_name", None)
        self._providers.append(provider)
        self._slots.append((slot, identity, provider))
        data = {"methods": providers.methods_of(provider), **data}
        return self._add(
            "provider",
            "%s/%s" % (slot, identity),
            {"slot": slot, "id": identity, "label": label if isinstance(label, str) else None, "data": data},
            provider=provider,
        )

    def register_tool(
        self,
        name,
        toolset=None,
        schema=None,
        handler=None,
        check_fn=None,
        requires_env=None,
        is_async=False,
        description="",
        emoji="",
        override=False,
        secrets=None,
        provenance=None,
    ):
        if wrapped.takes(self._key, name, handler, schema):
            return
        if name is ...:  # The guide omits it: `ctx.register_tool(...)`.
            return
        if not callable(handler):
            return self._refuse('The tool "%s" has no handler function.' % name)
        if not registry.accepted(handler, {"any": None}):
            words = (
                "The handler of the tool %r of the plugin %r has no **kwargs, which every handler should; it receives only the arguments that it names."
                % (name, self._key)
            )
            registry.wire.notify("log", {"plugin": self._key, "level": "warning", "message": words})
        data = {
            "name": name, "toolset": toolset, "schema": schema or {}, "requires_env": [requires_env] if isinstance(requires_env, str) else requires_env or [],
            "description": description, "emoji": emoji, "override": bool(override), "checked": check_fn is not None,
            "secrets": [dict(sink) for sink in secrets or []], "provenance": provenance is not None,
        }  # fmt: skip
        entry = {
            "name": name,
            "toolset": toolset,
            "schema": schema,
            "handler": handler,
            "check_fn": check_fn,
            "requires_env": requires_env,
            "is_async": is_async,
            "description": description,
            "emoji": emoji,
        }
        self._add("tool", name, data, run=handler, check=check_fn, provenance=provenance, entry=entry)

    def register_toolset(self, name, description="", tools=None, includes=None):
        self._add(
            "toolset",
            name,
            {
                "name": name,
                "toolset": {
                    "name": name,
                    "description": description,
                    "tools": list(tools or []),
                    "includes": list(includes or []),
                },
            },
        )

    def register_hook(self, hook_name, callback):
        if not callable(callback):
            raise TypeError("The callback of the hook %r cannot be called." % hook_name)
        self._add("hook", hook_name, {"name": hook_name}, run=callback)

    def register_system_prompt_section(self, id, content, *, position="after_memory", max_chars=4000):
        if self._prompt is None:
            from _hermes_bridge.prompt_sections import PromptSections

            sections = PromptSections(self._key, self.profile_name)
            sections.add(id, content, position, max_chars)
            self._prompt = sections
            self.register_hook("pre_llm_call", sections)
        else:
            self._prompt.add(id, content, position, max_chars)

    def register_middleware(self, kind, callback):
        if not callable(callback):
            raise TypeError("The callback of the middleware %r cannot be called." % kind)
        self._add("middleware", kind, {"name": kind}, run=callback)

    def register_command(self, name, handler, description="", args_hint="", help=""):
        if not str(name or "").strip().lstrip("/") or not callable(handler):
            return self._refuse("A slash command needs a name and a handler.")
        run = handler
        wanted = _parameters_of(handler)
        if wanted == 2:

            def run(text):
                return handler(self, text)
        elif wanted == 0:

            def run(text):
                return handler()

        self._add(
            "command",
            name,
            {"name": name, "description": description or help or "Plugin command", "args_hint": args_hint},
            run=run,
        )

    def register_cli_command(self, name, help="", setup_fn=None, handler_fn=None, description=""):
        self._add(
            "cli",
            name,
            {"name": name, "description": help or description, "long": description or help},
            setup=setup_fn,
            run=handler_fn,
        )

    def register_skill(self, name, path, description=""):
        if ":" in name or not re.fullmatch(r"[a-zA-Z0-9_-]+", name or ""):
            return self._refuse('"%s" is not a valid name of a skill. Use letters, digits, _ and -.' % name)
        from pathlib import Path

        path = Path(path)
        if not path.exists():
            return self._refuse('The skill "%s" has no file %s.' % (name, path))
        self._skills[name] = path
        self._add("skill", name, {"name": name, "path": str(path.resolve()), "description": description})

    def dispatch_tool(self, tool_name, args=None, *, parent_agent=None, **kwargs):
        """Any tool through the dispatch pipeline: approval, hooks, redaction and limits as for a model's call. Its
        JSON text.
        """
        params = {"plugin": self._key, "tool": tool_name, "args": args or {}}
        if parent_agent is not None:
            params["session"] = _session_of(parent_agent)
        return registry.wire.request("ctx.call_tool", params)["text"]

    def inject_message(self, content, role="user"):
        text = content if role == "user" else "[%s] %s" % (role, content)
        return bool(registry.wire.request("ctx.inject", {"plugin": self._key, "text": text}))

    def register_auxiliary_task(self, key, *, display_name, description, defaults=None):
        if not re.fullmatch(r"[A-Za-z0-9_]+", key or ""):
            return self._refuse("An auxiliary task's key has letters, digits and _, not %r." % key)
        fields = {
            "provider": "auto",
            "model": "",
            "base_url": "",
            "api_key": "",
            "timeout": 60,
            "extra_body": {},
            **(defaults or {}),
        }
        task = type("AuxiliaryTask", (), {"name": key, "defaults": fields})()
        self._provide("auxiliary", task, label=display_name, description=description, defaults=fields)

    def provide(self, slot, provider):
        """A provider for a slot by its name; `register_..._provider` does the same for one slot each."""
        self._provide(slot, provider)

    def register_provider(self, profile):
        from providers import register_provider

        register_provider(profile)

    def doctor(self, look):
        """A check that `hermes doctor` runs while the plugin is loaded: a list of dicts with `name`, `ok`, `detail`
        and perhaps `hint`.
        """
        self._add("doctor", "look", {}, run=look)

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

    def register_platform(
        self,
        name,
        label="",
        adapter_factory=None,
        check_fn=None,
        validate_config=None,
        required_env=None,
        install_hint="",
        **entry,
    ):
        from gateway.platform_registry import PlatformEntry, platform_registry

        found = PlatformEntry(
            name=name,
            label=label or name,
            adapter_factory=adapter_factory,
            check_fn=check_fn,
            validate_config=validate_config,
            required_env=list(required_env or []),
            install_hint=install_hint,
            **entry,
        )
        platform_registry.register(found)
        self._provide("platform", found, name=name, label=found.label, **found.described())

    def register_slack_action_handler(self, action_id, callback):
        if not callable(callback) or not action_id:
            raise ValueError("A Slack action needs an id and a callable.")
        handler = type("SlackAction", (), {"name": str(action_id), "handle": staticmethod(callback)})()
        self._provide("slack_action", handler)


def _session_of(agent):
    """An agent as plugins hold one: any object with its session's id."""
    known = (
        agent
        if isinstance(agent, str)
        else agent.get("session_id")
        if isinstance(agent, dict)
        else getattr(agent, "session_id", None)
    )
    if not isinstance(known, str) or known == "":
        raise TypeError("parent_agent has no session_id: %r" % (agent,))
    return known


def _parameters_of(handler):
    """How many arguments it requires. The guide shows handlers with two, the context first; some take none; 1 if
    unknown.
    """
    import inspect

    try:
        parameters = inspect.signature(handler).parameters.values()
    except (TypeError, ValueError):
        return 1
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return 1
    places = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return 0 if not places else len([one for one in places if one.default is one.empty]) or 1
