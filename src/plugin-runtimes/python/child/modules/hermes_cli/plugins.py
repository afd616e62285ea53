"""The plugins of this process, as plugins read them, and the context of each."""

from _hermes_bridge import current, loader, registry
from _hermes_bridge.context import PluginContext, PluginManifest  # noqa: F401
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


class LoadedPlugin:
    def __init__(self, manifest, module=None, enabled=True, error=None):
        self.manifest = manifest
        self.module = module
        self.enabled = enabled
        self.error = error
        self.deferred = False

    def _registered(self, kind):
        return [name for plugin, name, _ in registry.of_kind(kind) if plugin == self.manifest.key]

    tools_registered = property(lambda self: self._registered("tool"))
    hooks_registered = property(lambda self: self._registered("hook"))
    middleware_registered = property(lambda self: self._registered("middleware"))
    commands_registered = property(lambda self: self._registered("command"))


class PluginManager:
    """The plugins of this process; the agent holds the others. Its data is a copy: changing it has no effect."""

    # : This process has no command line: a plugin uses `ctx.inject_message` to show something.
    _cli_ref = None
    _discovered = True

    @property
    def _plugins(self):
        return {key: LoadedPlugin(context.manifest) for key, context in loader.contexts.items()}

    _hooks = property(lambda self: _lists("hook"))
    _middleware = property(lambda self: _lists("middleware"))
    _plugin_tool_names = property(lambda self: {name for _, name, _ in registry.of_kind("tool")})
    _plugin_commands = property(lambda self: get_plugin_commands())
    _cli_commands = property(
        lambda self: {
            name: {"name": name, "setup_fn": functions["setup"], "handler_fn": functions["run"], "plugin": plugin}
            for plugin, name, functions in registry.of_kind("cli")
        }
    )
    _context_engine = property(lambda self: _provided("context"))

    @property
    def _plugin_skills(self):
        return {
            "%s:%s" % (context.manifest.name, name): {"path": path, "plugin": context.manifest.name, "bare_name": name}
            for context in loader.contexts.values()
            for name, path in context._skills.items()
        }

    def discover_and_load(self, force=False):
        return None

    def list_plugins(self):
        return [
            {
                "name": context.manifest.name,
                "key": key,
                "version": context.manifest.version,
                "description": context.manifest.description,
                "enabled": True,
                "error": None,
            }
            for key, context in loader.contexts.items()
        ]

    def has_hook(self, name):
        return bool(self._hooks.get(name))

    def has_middleware(self, kind):
        return kind in self._middleware

    def invoke_hook(self, name, **payload):
        return self._ask_all("hook", name, self._hooks, payload)

    def invoke_middleware(self, kind, **payload):
        return self._ask_all("middleware", kind, self._middleware, payload)

    def _ask_all(self, what, name, callbacks, payload):
        results = []
        for callback in callbacks.get(name, []):
            try:
                answer = callback(**payload)
            except Exception:
                import logging

                logging.getLogger(__name__).warning("A callback of the %s %s raised.", what, name, exc_info=True)
                continue
            if answer is not None:
                results.append(answer)
        return results

    def find_plugin_skill(self, qualified):
        return self._plugin_skills.get(qualified, {}).get("path")

    def list_plugin_skills(self, plugin):
        return sorted(
            name for context in loader.contexts.values() if context.manifest.name == plugin for name in context._skills
        )


def _lists(kind):
    lists = {}
    for _, name, functions in registry.of_kind(kind):
        lists.setdefault(name, []).append(functions["run"])
    return lists


def _provided(slot):
    return next(
        (provider for context in loader.contexts.values() for named, _, provider in context._slots if named == slot),
        None,
    )


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
    return {
        name: {"handler": functions["run"], "description": "", "plugin": plugin}
        for plugin, name, functions in registry.of_kind("command")
    }


def get_plugin_context_engine():
    return _provided("context")


def invoke_middleware(kind, **payload):
    return _manager.invoke_middleware(kind, **payload)


def get_plugin_command_handler(name):
    return get_plugin_commands().get(name, {}).get("handler")


def resolve_plugin_command_result(result):
    return settle(result)


def get_pre_tool_call_block_message(tool_name, args, task_id="", session_id="", tool_call_id="", **more):
    """The answers of the guards in this process; the agent asks the others."""
    for answer in invoke_hook(
        "pre_tool_call",
        tool_name=tool_name,
        args=args or {},
        task_id=task_id,
        session_id=session_id,
        tool_call_id=tool_call_id,
        **more,
    ):
        if isinstance(answer, dict) and answer.get("action") == "block" and answer.get("message"):
            return answer["message"]
    return None


def get_bundled_plugins_dir():
    return home() / "plugins"


def current_plugin():
    return current.plugin.get()
