"""Base of chat adapters, and the names that adapters import with it."""

from abc import ABC, abstractmethod
from typing import Awaitable, Callable, Optional

from gateway.config import Platform, PlatformConfig  # noqa: F401
from gateway.platforms._defaults import AdapterDefaults
from gateway.platforms._media_cache import *  # noqa: F401,F403
from gateway.platforms._messages import (  # noqa: F401
    SEND_ERROR_KINDS,
    EphemeralReply,
    MessageEvent,
    MessageType,
    ProcessingOutcome,
    SendResult,
)
from gateway.platforms._network import *  # noqa: F401,F403
from gateway.platforms._network import utf16_len
from gateway.platforms._pieces import pieces_of
from gateway.session import SessionSource, build_session_key  # noqa: F401
from gateway.status import acquire_scoped_lock, release_scoped_lock

MessageHandler = Callable[["MessageEvent"], Awaitable[Optional[str]]]


class BasePlatformAdapter(AdapterDefaults, ABC):
    MAX_MESSAGE_LENGTH = 4096
    REQUIRES_EDIT_FINALIZE = False
    SUPPORTS_MESSAGE_EDITING = True
    supports_code_blocks = False
    typed_command_prefix = "/"

    def __init__(self, config=None, platform=None):
        self.config = config
        self.platform = platform
        self._running = False
        self._message_handler = None
        self._fatal_error_handler = None
        self._fatal_error_code = None
        self._fatal_error_message = None
        self._fatal_error_retryable = True
        self._platform_locks = []
        self._prepare_state()

    @abstractmethod
    async def connect(self, *, is_reconnect=False):
        """Whether it is connected now."""

    @abstractmethod
    async def disconnect(self):
        """Releases everything."""

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
        return self._running

    @property
    def has_fatal_error(self):
        return self._fatal_error_message is not None

    @property
    def fatal_error_code(self):
        return self._fatal_error_code

    @property
    def fatal_error_message(self):
        return self._fatal_error_message

    @property
    def fatal_error_retryable(self):
        return self._fatal_error_retryable

    @property
    def message_len_fn(self):
        return len

    def _mark_connected(self):
        self._running = True
        self._fatal_error_code = self._fatal_error_message = None
        self._fatal_error_retryable = True

    def _mark_disconnected(self):
        self._running = False

    def _set_fatal_error(self, code, message, *, retryable=False):
        self._running = False
        self._fatal_error_code, self._fatal_error_message, self._fatal_error_retryable = code, message, retryable

    async def _notify_fatal_error(self):
        """The connection is lost: the gateway opens another."""
        answer = self._fatal_error_handler(self) if self._fatal_error_handler is not None else None
        return await answer if hasattr(type(answer), "__await__") else answer

    def _acquire_platform_lock(self, scope, identity, resource_desc=""):
        held, holder = acquire_scoped_lock(scope, identity)
        if held:
            self._platform_locks.append((scope, identity))
        else:
            self._set_fatal_error(
                "%s_lock" % scope,
                "%s is in use by another process %s" % (resource_desc or scope, (holder or {}).get("pid") or ""),
                retryable=False,
            )
        return held

    def _release_platform_lock(self):
        while self._platform_locks:
            release_scoped_lock(*self._platform_locks.pop())

    def set_message_handler(self, handler):
        self._message_handler = handler

    def set_busy_session_handler(self, handler):
        self._busy_session_handler = handler

    def set_session_store(self, store):
        self._session_store = store

    def set_fatal_error_handler(self, handler):
        self._fatal_error_handler = handler

    async def handle_message(self, event):
        """Passes an incoming message to the agent. It is stored when this returns."""
        return await self._message_handler(event) if self._message_handler is not None else None

    def build_source(
        self, chat_id, chat_name=None, chat_type="dm", user_id=None, user_name=None, thread_id=None, **more
    ):
        known = {key: value for key, value in more.items() if key in SessionSource.__dataclass_fields__}
        return SessionSource(
            platform=self.platform,
            chat_id=str(chat_id),
            chat_name=chat_name,
            chat_type=chat_type,
            user_id=user_id,
            user_name=user_name,
            thread_id=thread_id,
            **known,
        )

    def format_message(self, content):
        """The agent's Markdown in the format of the platform."""
        return content

    @staticmethod
    def truncate_message(content, max_length=4096, len_fn=None):
        """In pieces that are sent one after another."""
        return pieces_of(content, max_length, len_fn or len)

    async def on_processing_start(self, event):
        return None

    async def on_processing_complete(self, event, outcome):
        return None

    async def send_slash_confirm(self, chat_id, title, message, session_key, confirm_id, metadata=None):
        return SendResult(success=False, error="Not supported")

    async def send_clarify(self, chat_id, question, choices, clarify_id, session_key, metadata=None):
        return SendResult(success=False, error="Not supported")

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

    async def send_multiple_images(self, chat_id, images, metadata=None, human_delay=0.0):
        for address, caption in images:
            await self.send_image(chat_id, address, caption)

    async def play_tts(self, chat_id, audio_path, **named):
        return await self.send_voice(chat_id, audio_path, **named)

    async def _as_text(self, chat_id, place, caption):
        return await self.send(chat_id, place if not caption else "%s\n%s" % (caption, place))

    async def interrupt_session_activity(self, session_key, chat_id=None):
        return None
