"""Base of chat adapters."""

import datetime
import enum
import hashlib
import ipaddress
import os
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, Awaitable, Callable, Dict, List, Optional
from urllib.parse import urlsplit

from _hermes_bridge import current, registry
from _hermes_bridge.home import home
from gateway.config import Platform, PlatformConfig
from gateway.session import SessionSource, build_session_key  # noqa: F401
from gateway.status import acquire_scoped_lock, release_scoped_lock

MessageHandler = Callable[["MessageEvent"], Awaitable[Optional[str]]]
SEND_ERROR_KINDS = frozenset({"forbidden", "rate_limited", "too_long", "bad_format", "unknown", "transient", "not_found"})
SUPPORTED_VIDEO_TYPES = {".mp4": "video/mp4", ".mov": "video/quicktime", ".webm": "video/webm", ".mkv": "video/x-matroska", ".avi": "video/x-msvideo"}
SUPPORTED_IMAGE_DOCUMENT_TYPES = {".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".webp": "image/webp", ".gif": "image/gif"}
_OFFICE = "application/vnd.openxmlformats-officedocument."
SUPPORTED_DOCUMENT_TYPES = {
    ".pdf": "application/pdf", ".md": "text/markdown", ".txt": "text/plain", ".csv": "text/csv", ".log": "text/plain", ".json": "application/json",
    ".xml": "application/xml", ".yaml": "application/yaml", ".yml": "application/yaml", ".toml": "application/toml", ".ini": "text/plain",
    ".cfg": "text/plain", ".zip": "application/zip", ".doc": "application/msword", ".docx": _OFFICE + "wordprocessingml.document",
    ".xls": "application/vnd.ms-excel", ".xlsx": _OFFICE + "spreadsheetml.sheet", ".ppt": "application/vnd.ms-powerpoint",
    ".pptx": _OFFICE + "presentationml.presentation", ".ts": "text/plain", ".py": "text/plain", ".sh": "text/plain",
}  # fmt: skip


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
    """An answer that goes away by itself where the platform can do that."""

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


class BasePlatformAdapter(ABC):
    REQUIRES_EDIT_FINALIZE = False

    def __init__(self, config=None, platform=None):
        self.config = config
        self.platform = platform
        self._connected = False
        self._message_handler = None
        self._fatal_error = None
        self._locks = []

    @abstractmethod
    async def connect(self, *, is_reconnect=False):
        """Whether it is connected now."""

    @abstractmethod
    async def disconnect(self):
        """Lets go of everything."""

    @abstractmethod
    async def send(self, chat_id, content, reply_to=None, metadata=None):
        """A SendResult."""

    async def get_chat_info(self, chat_id):
        return {"name": str(chat_id), "type": "dm", "chat_id": chat_id}

    @property
    def name(self):
        return getattr(self.platform, "value", None) or str(self.platform or type(self).__name__)

    @property
    def is_connected(self):
        return self._connected

    def _mark_connected(self):
        self._connected = True

    def _mark_disconnected(self):
        self._connected = False

    def _set_fatal_error(self, code, message, retryable=False):
        self._fatal_error = {"code": code, "message": message, "retryable": retryable}

    def _acquire_platform_lock(self, scope, identity, description=""):
        held, holder = acquire_scoped_lock(scope, identity)
        if held:
            self._locks.append((scope, identity))
        else:
            self._set_fatal_error("%s_lock" % scope, "%s is in use by another process %s" % (description or scope, (holder or {}).get("pid") or ""))
        return held

    def _release_platform_lock(self):
        while self._locks:
            release_scoped_lock(*self._locks.pop())

    def set_message_handler(self, handler):
        self._message_handler = handler

    def set_busy_session_handler(self, handler):
        self._busy_handler = handler

    def set_session_store(self, store):
        self._session_store = store

    def set_fatal_error_handler(self, handler):
        self._fatal_handler = handler

    async def handle_message(self, event):
        """An inbound message, to the agent."""
        if self._message_handler is not None:
            return await self._message_handler(event)
        import asyncio

        return await asyncio.to_thread(registry.wire.request, "platform.message", {"plugin": current.plugin.get(), "platform": self.name, "event": event})

    def build_source(self, chat_id, chat_name=None, chat_type="dm", user_id=None, user_name=None, thread_id=None, **more):
        known = {key: value for key, value in more.items() if key in SessionSource.__dataclass_fields__}
        return SessionSource(platform=self.platform, chat_id=str(chat_id), chat_name=chat_name, chat_type=chat_type, user_id=user_id, user_name=user_name, thread_id=thread_id, **known)

    async def edit_message(self, chat_id, message_id, content, *, finalize=False):
        return SendResult(success=False, error="Not supported")

    async def delete_message(self, chat_id, message_id):
        return False

    async def send_typing(self, chat_id, metadata=None):
        return None

    async def stop_typing(self, chat_id):
        return None

    async def send_image(self, chat_id, image_url, caption=None, reply_to=None, metadata=None):
        return await self._as_text(chat_id, image_url, caption)

    async def send_animation(self, chat_id, animation_url, caption=None, reply_to=None, metadata=None):
        return await self.send_image(chat_id, animation_url, caption)

    async def send_image_file(self, chat_id, image_path, caption=None, **_):
        return await self._as_text(chat_id, image_path, caption)

    async def send_voice(self, chat_id, audio_path, caption=None, **_):
        return await self._as_text(chat_id, audio_path, caption)

    async def send_video(self, chat_id, video_path, caption=None, **_):
        return await self._as_text(chat_id, video_path, caption)

    async def send_document(self, chat_id, file_path, caption=None, file_name=None, **_):
        return await self._as_text(chat_id, file_path, caption)

    async def play_tts(self, chat_id, audio_path, **named):
        return await self.send_voice(chat_id, audio_path, **named)

    async def _as_text(self, chat_id, place, caption):
        return await self.send(chat_id, place if not caption else "%s\n%s" % (caption, place))

    async def interrupt_session_activity(self, session_key, chat_id=None):
        return None


def utf16_len(text):
    """As some services count: what lies beyond the first plane counts twice."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def safe_url_for_log(url, max_len=80):
    """Without what may be secret in it."""
    parsed = urlsplit(str(url or ""))
    place = "%s://%s%s" % (parsed.scheme, (parsed.hostname or "") + (":%d" % parsed.port if parsed.port else ""), parsed.path) if parsed.scheme else parsed.path
    return place if len(place) <= max_len else place[: max_len - 3] + "..."


def is_network_accessible(host):
    """Whether a server that listens there is reached from other machines."""
    try:
        return not ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.strip().lower() not in ("", "localhost")


def resolve_proxy_url(platform_env_var=None, *, target_hosts=None):
    for name in (platform_env_var, "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"):
        url = (os.environ.get(name) or "").strip() if name else ""
        if url:
            return url.replace("socks://", "socks5://", 1) if url.startswith("socks://") else url
    return None


def proxy_kwargs_for_aiohttp(proxy_url):
    """For the session, and for each request."""
    return ({}, {}) if not proxy_url else ({}, {"proxy": proxy_url})


def _cache_dir(kind):
    folder = home() / "cache" / kind
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def get_image_cache_dir():
    return _cache_dir("images")


def get_audio_cache_dir():
    return _cache_dir("audio")


def get_video_cache_dir():
    return _cache_dir("videos")


def get_document_cache_dir():
    return _cache_dir("documents")


async def _from_url(url, keep, ext):
    import asyncio

    from _hermes_bridge.download import download

    data, _ = await asyncio.to_thread(download, url, 60.0, 50 << 20)
    return keep(data, ext)


async def cache_image_from_url(url, ext=".jpg", retries=2):
    return await _from_url(url, cache_image_from_bytes, ext)


async def cache_audio_from_url(url, ext=".ogg", retries=2):
    return await _from_url(url, cache_audio_from_bytes, ext)


def cache_media_bytes(data, filename=None, mime_type=None, **_):
    """Keeps what was received; its path."""
    kind = (mime_type or "").split("/")[0]
    folder = home() / "cache" / {"image": "images", "video": "videos", "audio": "audio"}.get(kind, "documents")
    folder.mkdir(parents=True, exist_ok=True)
    ending = os.path.splitext(filename or "")[1] or ("." + mime_type.split("/")[1] if mime_type and "/" in mime_type else ".bin")
    path = folder / (hashlib.sha256(data).hexdigest()[:16] + ending)
    path.write_bytes(data)
    return str(path)


def cache_image_from_bytes(data, ext=".png"):
    return cache_media_bytes(data, "image" + ext, "image/" + ext.lstrip("."))


def cache_audio_from_bytes(data, ext=".ogg"):
    return cache_media_bytes(data, "audio" + ext, "audio/" + ext.lstrip("."))


def cache_video_from_bytes(data, ext=".mp4"):
    return cache_media_bytes(data, "video" + ext, "video/" + ext.lstrip("."))


def cache_document_from_bytes(data, filename):
    return cache_media_bytes(data, filename)
