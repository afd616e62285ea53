"""Incoming messages and the results of outgoing ones."""

import datetime
import enum
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from gateway.session import SessionSource

SEND_ERROR_KINDS = frozenset(
    {"forbidden", "rate_limited", "too_long", "bad_format", "unknown", "transient", "not_found"}
)


class MessageType(enum.Enum):
    TEXT = "text"
    LOCATION = "location"
    PHOTO = "photo"
    VIDEO = "video"
    AUDIO = "audio"
    VOICE = "voice"
    DOCUMENT = "document"
    STICKER = "sticker"
    COMMAND = "command"


class ProcessingOutcome(enum.Enum):
    SUCCESS = "success"
    FAILURE = "failure"
    CANCELLED = "cancelled"


class EphemeralReply(str):
    """An answer that disappears after a while if the platform supports it."""

    def __new__(cls, text, ttl_seconds=None):
        made = super().__new__(cls, text)
        made.ttl_seconds = ttl_seconds
        return made


@dataclass
class SendResult:
    success: bool
    message_id: Optional[str] = None
    error: Optional[str] = None
    raw_response: Any = None
    retryable: bool = False
    retry_after: Optional[float] = None
    continuation_message_ids: List[str] = field(default_factory=list)
    error_kind: Optional[str] = None


@dataclass
class MessageEvent:
    text: str
    message_type: MessageType = MessageType.TEXT
    source: Optional[SessionSource] = None
    raw_message: Any = None
    message_id: Optional[str] = None
    platform_update_id: Any = None
    media_urls: List[str] = field(default_factory=list)
    media_types: List[str] = field(default_factory=list)
    reply_to_message_id: Optional[str] = None
    reply_to_text: Optional[str] = None
    reply_to_author_id: Optional[str] = None
    reply_to_author_name: Optional[str] = None
    reply_to_is_own_message: bool = False
    auto_skill: Any = None
    channel_prompt: Optional[str] = None
    channel_context: Optional[str] = None
    internal: bool = False
    metadata: Dict[str, Any] = field(default_factory=dict)
    timestamp: Any = field(default_factory=datetime.datetime.now)

    def is_command(self):
        first = self.text.split(None, 1)[0] if self.text.strip() else ""
        return first.startswith("/") and "/" not in first[1:]

    def get_command(self):
        return self.text.split(None, 1)[0][1:].split("@", 1)[0].lower() if self.is_command() else None

    def get_command_args(self):
        rest = self.text.split(None, 1)
        return (rest[1] if len(rest) > 1 else "") if self.is_command() else self.text
