"""The plugins of this process, as plugins ask for them, and the context that each is given."""

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
