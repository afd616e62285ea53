"""The source of a message."""

from dataclasses import dataclass
from typing import Any, Optional


@dataclass
class SessionSource:
    platform: Any
    chat_id: str
    chat_name: Optional[str] = None
    chat_type: str = "dm"
    user_id: Optional[str] = None
    user_name: Optional[str] = None
    thread_id: Optional[str] = None
    chat_topic: Optional[str] = None
    user_id_alt: Optional[str] = None
    chat_id_alt: Optional[str] = None
    is_bot: bool = False
    guild_id: Optional[str] = None
    parent_chat_id: Optional[str] = None
    message_id: Optional[str] = None
    scope_id: Optional[str] = None
    profile: Optional[str] = None
    auto_thread_created: bool = False
    auto_thread_initial_name: Optional[str] = None
    role_authorized: bool = False
    delivered_via_upstream_relay: bool = False

    @property
    def description(self):
        """A short description for people."""
        if getattr(self.platform, "value", self.platform) == "local":
            return "CLI terminal"
        place = self.chat_name or self.chat_id
        words = (
            "DM with %s" % (self.user_name or self.user_id or "user")
            if self.chat_type == "dm"
            else "%s: %s" % (self.chat_type, place)
            if self.chat_type in ("group", "channel")
            else place
        )
        return "%s, thread: %s" % (words, self.thread_id) if self.thread_id else words

    def to_dict(self):
        always = ("chat_id", "chat_name", "chat_type", "user_id", "user_name", "thread_id", "chat_topic")
        scope = self.scope_id or self.guild_id
        fields = {
            name: value
            for name, value in {**vars(self), "scope_id": scope, "guild_id": scope}.items()
            if name in always or (value and name not in ("is_bot", "role_authorized", "delivered_via_upstream_relay"))
        }
        return {**fields, "platform": getattr(self.platform, "value", self.platform)}

    @classmethod
    def from_dict(cls, data):
        from gateway.config import Platform

        return cls(
            **{
                **{name: data[name] for name in cls.__dataclass_fields__ if name in data},
                "platform": Platform(data["platform"]),
                "chat_id": str(data["chat_id"]),
            }
        )


def build_session_key(source, group_sessions_per_user=True, thread_sessions_per_user=False, profile=None):
    """One key for each conversation: a chat, in groups each user, in threads all of them."""
    platform = getattr(source.platform, "value", source.platform)
    parts = ["agent", profile or "main", platform, source.chat_type, source.chat_id]
    if source.thread_id:
        parts.append(source.thread_id)
    alone = thread_sessions_per_user if source.thread_id else group_sessions_per_user
    if source.chat_type != "dm" and alone and source.user_id:
        parts.append(source.user_id)
    return ":".join(str(part) for part in parts if part)
