"""Where a message came from."""

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


def build_session_key(source, group_sessions_per_user=True, thread_sessions_per_user=False, profile=None):
    """One key for those who talk together: a chat, in groups each person, in threads all of them."""
    platform = getattr(source.platform, "value", source.platform)
    parts = ["agent", profile or "main", platform, source.chat_type, source.chat_id]
    if source.thread_id:
        parts.append(source.thread_id)
    alone = thread_sessions_per_user if source.thread_id else group_sessions_per_user
    if source.chat_type != "dm" and alone and source.user_id:
        parts.append(source.user_id)
    return ":".join(str(part) for part in parts if part)
