"""Settings of a chat platform."""

import enum
from dataclasses import dataclass, field
from typing import Any, Dict, Optional


class Platform(str, enum.Enum):
    """The platforms there are; any other name makes a member of its own."""

    LOCAL = "local"
    CLI = "cli"
    TELEGRAM = "telegram"
    DISCORD = "discord"
    SLACK = "slack"
    WHATSAPP = "whatsapp"
    SIGNAL = "signal"
    EMAIL = "email"
    WEBHOOK = "webhook"

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, str) or not value:
            return None
        word = value.lower()
        for known in cls:
            if known.value == word:
                return known
        member = str.__new__(cls, word)
        member._name_, member._value_ = word.upper().replace("-", "_"), word
        cls._value2member_map_[word] = member
        return member


@dataclass
class PlatformConfig:
    enabled: bool = True
    token: Optional[str] = None
    api_key: Optional[str] = None
    home_channel: Any = None
    reply_to_mode: str = "first"
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class HomeChannel:
    platform: Any
    chat_id: str
    name: str = ""
    thread_id: Optional[str] = None


@dataclass
class GatewayConfig:
    platforms: Dict[Any, PlatformConfig] = field(default_factory=dict)
