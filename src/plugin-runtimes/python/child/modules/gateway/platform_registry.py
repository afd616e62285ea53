"""The chat platforms that plugins registered."""

from dataclasses import dataclass, field
from typing import Any, Callable, List, Optional

from _hermes_bridge import current, registry
from gateway.config import PlatformConfig


@dataclass
class PlatformEntry:
    name: str
    label: str
    adapter_factory: Callable[[Any], Any]
    check_fn: Optional[Callable[[], bool]] = None
    validate_config: Optional[Callable[[Any], bool]] = None
    is_connected: Optional[Callable[[Any], bool]] = None
    required_env: List[str] = field(default_factory=list)
    install_hint: str = ""
    setup_fn: Optional[Callable[[], None]] = None
    source: str = "plugin"
    plugin_name: str = ""
    allowed_users_env: str = ""
    allow_all_env: str = ""
    max_message_length: int = 0
    pii_safe: bool = False
    emoji: str = "🔌"
    allow_update_command: bool = True
    platform_hint: str = ""
    env_enablement_fn: Optional[Callable[[], Any]] = None
    apply_yaml_config_fn: Optional[Callable[..., Any]] = None
    cron_deliver_env_var: str = ""
    standalone_sender_fn: Optional[Callable[..., Any]] = None
    interactive_setup: Any = None

    def __post_init__(self):
        self._adapter = None
        self._settings = {}
        self._plugin = current.plugin.get()

    def described(self):
        words = (
            "required_env",
            "install_hint",
            "allowed_users_env",
            "allow_all_env",
            "max_message_length",
            "pii_safe",
            "emoji",
            "platform_hint",
            "cron_deliver_env_var",
        )
        return {word: getattr(self, word) for word in words}

    def check(self):
        return bool(self.check_fn()) if self.check_fn is not None else True

    def validate(self, settings=None):
        return bool(self.validate_config(_config_of(settings))) if self.validate_config is not None else True

    def env_enablement(self):
        return self.env_enablement_fn() if self.env_enablement_fn is not None else None

    def create(self, settings=None):
        """Creates the adapter for the other calls, and reads which members of the base class it overrides."""
        self._settings = settings or {}
        return self._make()

    async def connect(self, is_reconnect=False):
        if is_reconnect:
            # An adapter is written for one connection; the next connection gets a new one.
            await self.disconnect()
            self._make()
        adapter = self._made()
        answer = await adapter.connect(**registry.accepted(adapter.connect, {"is_reconnect": is_reconnect}))
        if answer is False and getattr(adapter, "has_fatal_error", False):
            raise ConnectionError(adapter.fatal_error_message)
        return answer

    async def disconnect(self):
        if self._adapter is None:
            return
        try:
            await self._adapter.disconnect()
        finally:
            end = getattr(self._adapter, "cancel_background_tasks", None)
            if end is not None:
                await end()

    async def send(self, chat_id, text, **named):
        adapter = self._made()
        return await adapter.send(chat_id, text, **registry.accepted(adapter.send, named))

    async def act(self, method, *given, **named):
        """Calls any other method of the adapter."""
        if method.startswith("_"):
            raise AttributeError("%s is not for others to call" % method)
        found = getattr(self._made(), method)
        answer = found(*given, **registry.accepted(found, named))
        return await answer if hasattr(type(answer), "__await__") else answer

    def _make(self):
        from gateway.platforms.base import BasePlatformAdapter

        adapter = self._adapter = self.adapter_factory(_config_of(self._settings))
        adapter.set_message_handler(lambda event: self._notify("platform.message", event=event))
        adapter.set_fatal_error_handler(
            lambda lost: self._notify("platform.lost", reason=lost.fatal_error_message or "the connection ended")
        )
        own = lambda name: getattr(type(adapter), name, None) is not getattr(BasePlatformAdapter, name)  # noqa: E731
        return [
            name
            for name in (
                "send_typing",
                "edit_message",
                "send_document",
                "send_image_file",
                "send_voice",
                "send_video",
                "get_chat_info",
            )
            if name == "get_chat_info" or own(name)
        ]

    async def _notify(self, method, **more):
        import asyncio

        return await asyncio.to_thread(
            registry.wire.request, method, {"plugin": self._plugin, "platform": self.name, **more}
        )

    def _made(self):
        if self._adapter is None:
            self._make()
        return self._adapter


def _config_of(settings):
    return PlatformConfig(
        **{key: value for key, value in (settings or {}).items() if key in PlatformConfig.__dataclass_fields__}
    )


class PlatformRegistry:
    def __init__(self):
        self._entries = {}

    def register(self, entry):
        self._entries[entry.name] = entry

    def unregister(self, name):
        return self._entries.pop(name, None) is not None

    def get(self, name):
        return self._entries.get(name)

    def is_registered(self, name):
        return name in self._entries

    def all_entries(self):
        return list(self._entries.values())

    def plugin_entries(self):
        return list(self._entries.values())

    def create_adapter(self, name, config):
        entry = self._entries.get(name)
        return None if entry is None or not entry.check() else entry.adapter_factory(config)


platform_registry = PlatformRegistry()
