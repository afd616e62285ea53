"""Settings of a chat platform."""

import enum
from dataclasses import dataclass, field
from typing import Any, Dict, Optional


class Platform(str, enum.Enum):
    """The known platforms; any other name creates a new member."""

    LOCAL = "local"
    CLI = "cli"
    TELEGRAM = "telegram"
    DISCORD = "discord"
    SLACK = "slack"
    WHATSAPP = "whatsapp"
    SIGNAL = "signal"
    EMAIL = "email"
    WEBHOOK = "webhook"
    WHATSAPP_CLOUD = "whatsapp_cloud"
    MATTERMOST = "mattermost"
    MATRIX = "matrix"
    HOMEASSISTANT = "homeassistant"
    SMS = "sms"
    DINGTALK = "dingtalk"
    API_SERVER = "api_server"
    MSGRAPH_WEBHOOK = "msgraph_webhook"
    FEISHU = "feishu"
    WECOM = "wecom"
    WECOM_CALLBACK = "wecom_callback"
    WEIXIN = "weixin"
    BLUEBUBBLES = "bluebubbles"
    QQBOT = "qqbot"
    YUANBAO = "yuanbao"
    RELAY = "relay"

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
class HomeChannel:
    platform: Any
    chat_id: str
    name: str = ""
    thread_id: Optional[str] = None

    def to_dict(self):
        return {
            "platform": getattr(self.platform, "value", self.platform),
            "chat_id": self.chat_id,
            "name": self.name,
            **({"thread_id": self.thread_id} if self.thread_id else {}),
        }

    @classmethod
    def from_dict(cls, data):
        return cls(Platform(data["platform"]), str(data["chat_id"]), data.get("name", "Home"), data.get("thread_id"))


@dataclass
class PlatformConfig:
    enabled: bool = True
    token: Optional[str] = None
    api_key: Optional[str] = None
    home_channel: Any = None
    reply_to_mode: str = "first"
    gateway_restart_notification: bool = True
    typing_indicator: bool = True
    typing_status_text: Optional[str] = None
    channel_overrides: Dict[str, Any] = field(default_factory=dict)
    extra: Dict[str, Any] = field(default_factory=dict)

    def to_dict(self):
        home = {
            "home_channel": self.home_channel.to_dict() if hasattr(self.home_channel, "to_dict") else self.home_channel
        }
        return {
            name: value for name, value in {**vars(self), **home}.items() if value not in (None, {}) or name == "extra"
        }

    @classmethod
    def from_dict(cls, data):
        known = {
            name: data[name]
            for name in cls.__dataclass_fields__
            if name in data and name not in ("extra", "home_channel")
        }
        home = data.get("home_channel")
        rest = {name: value for name, value in data.items() if name not in cls.__dataclass_fields__}
        return cls(
            **{"enabled": False, **known},
            home_channel=HomeChannel.from_dict(home) if isinstance(home, dict) and "platform" in home else home,
            extra={**rest, **(data.get("extra") or {})},
        )


@dataclass
class GatewayConfig:
    platforms: Dict[Any, PlatformConfig] = field(default_factory=dict)

    def get_connected_platforms(self):
        return [platform for platform, config in self.platforms.items() if config.enabled]

    def get_home_channel(self, platform):
        config = self.platforms.get(platform)
        return None if config is None else config.home_channel


def load_gateway_config():
    """Platform settings of config.yaml. Variables of .env are passed only to the plugin that declares them."""
    from hermes_cli.config import read_raw_config

    data = read_raw_config()
    gateway = data.get("gateway")
    sections = {
        **(data.get("platforms") or {}),
        **((gateway if isinstance(gateway, dict) else {}).get("platforms") or {}),
    }
    return GatewayConfig(
        {
            Platform(name): PlatformConfig.from_dict(section)
            for name, section in sections.items()
            if isinstance(section, dict)
        }
    )
