"""The chat platforms that plugins brought."""

from dataclasses import dataclass, field
from typing import Any, Callable, List, Optional

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

    def described(self):
        words = ("required_env", "install_hint", "allowed_users_env", "allow_all_env", "max_message_length", "pii_safe", "emoji", "platform_hint", "cron_deliver_env_var")
        return {word: getattr(self, word) for word in words}

    def check(self):
        return bool(self.check_fn()) if self.check_fn is not None else True

    def env_enablement(self):
        return self.env_enablement_fn() if self.env_enablement_fn is not None else None

    def create(self, settings=None):
        """Makes the adapter that the other calls use."""
        known = PlatformConfig.__dataclass_fields__
        given = settings or {}
        self._adapter = self.adapter_factory(PlatformConfig(**{key: value for key, value in given.items() if key in known}))
        return type(self._adapter).__name__

    async def connect(self, is_reconnect=False):
        return await self._made().connect(is_reconnect=is_reconnect) if _takes(self._made().connect, "is_reconnect") else await self._made().connect()

    async def disconnect(self):
        return await self._made().disconnect()

    async def send(self, chat_id, text, **named):
        return await self._made().send(chat_id, text, **named)

    def _made(self):
        if self._adapter is None:
            self.create()
        return self._adapter


def _takes(function, name):
    import inspect

    parameters = inspect.signature(function).parameters
    return name in parameters or any(one.kind is one.VAR_KEYWORD for one in parameters.values())


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
