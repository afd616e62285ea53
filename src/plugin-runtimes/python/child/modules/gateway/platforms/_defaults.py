"""Members of every adapter of the original apart from its own: state for its tasks, questions to it, helpers it
calls.
"""

import asyncio
import re

_TRANSIENT = (
    "connecterror",
    "connectionerror",
    "connectionreset",
    "connectionrefused",
    "connecttimeout",
    "network",
    "broken pipe",
    "remotedisconnected",
    "eoferror",
)
_TIMED_OUT = ("timed out", "readtimeout", "writetimeout")


class AdapterDefaults:
    splits_long_messages = False
    supports_async_delivery = True
    supports_status_text = False
    supports_inchannel_continuable = False
    gateway_runner = None

    def _prepare_state(self):
        # : Adapters put background tasks here, which end with the connection.
        self._background_tasks = set()
        self._expected_cancelled_tasks = set()
        # The agent stores sessions; these are empty, for adapters that read them.
        self._active_sessions = {}
        self._pending_messages = {}
        self._session_tasks = {}
        self._session_store = None
        self._busy_session_handler = None
        self._authorization_check = None
        self._topic_recovery_fn = None
        self._auto_tts_default = False
        self._auto_tts_enabled_chats = set()
        self._auto_tts_disabled_chats = set()
        self._typing_paused = set()
        self._status_text = {}

    @property
    def enforces_own_access_policy(self):
        return False

    @property
    def authorization_is_upstream(self):
        return False

    def supports_draft_streaming(self, chat_type=None, metadata=None):
        return False

    def prefers_fresh_final_streaming(self, content, metadata=None):
        return False

    def streaming_overflow_limit(self):
        return None

    def set_authorization_check(self, callback):
        self._authorization_check = callback

    def _is_sender_authorized(self, user_id, chat_type=None, chat_id=None):
        """None: unknown here; the agent itself decides whose messages it accepts."""
        if not user_id or self._authorization_check is None:
            return None
        return bool(self._authorization_check(user_id, chat_type, chat_id))

    def set_topic_recovery_fn(self, fn):
        self._topic_recovery_fn = fn

    def has_pending_interrupt(self, session_key):
        return session_key in self._active_sessions and self._active_sessions[session_key].is_set()

    def get_pending_message(self, session_key):
        return self._pending_messages.pop(session_key, None)

    def pause_typing_for_chat(self, chat_id):
        self._typing_paused.add(chat_id)

    def resume_typing_for_chat(self, chat_id):
        self._typing_paused.discard(chat_id)

    def set_status_text(self, chat_id, text):
        if text:
            self._status_text[chat_id] = text
        else:
            self._status_text.pop(chat_id, None)

    async def _keep_typing(self, chat_id, interval=2.0, metadata=None, stop_event=None):
        """Until it is cancelled, or the event is set."""
        while stop_event is None or not stop_event.is_set():
            if chat_id not in self._typing_paused:
                await self.send_typing(chat_id, metadata=metadata)
            await asyncio.sleep(interval)

    async def _send_with_retry(self, chat_id, content, reply_to=None, metadata=None, max_retries=2, base_delay=2.0):
        """Retries after a network failure; never if the message may have arrived."""
        for attempt in range(max_retries + 1):
            result = await self.send(chat_id, content, reply_to=reply_to, metadata=metadata)
            if (
                result.success
                or attempt == max_retries
                or not (getattr(result, "retryable", False) or self._is_retryable_error(result.error))
                or self._is_timeout_error(result.error)
            ):
                return result
            await asyncio.sleep(base_delay * 2**attempt)

    async def send_private_notice(self, chat_id, user_id, content, reply_to=None, metadata=None):
        return await self.send(chat_id, content, reply_to=reply_to, metadata=metadata)

    async def create_handoff_thread(self, parent_chat_id, name):
        return None

    async def cancel_background_tasks(self):
        tasks = [task for task in self._background_tasks if not task.done()]
        for task in tasks:
            self._expected_cancelled_tasks.add(task)
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=5)
        self._background_tasks.clear()
        self._expected_cancelled_tasks.clear()

    async def _run_processing_hook(self, hook_name, *args, **kwargs):
        hook = getattr(self, hook_name, None)
        if callable(hook):
            try:
                await hook(*args, **kwargs)
            except Exception:
                import logging

                logging.getLogger(__name__).warning("%s of the adapter %s raised.", hook_name, self.name, exc_info=True)

    def prepare_tts_text(self, text):
        """Without Markdown characters."""
        return re.sub(r"[*_`#\[\]()]", "", text)[:4000].strip()

    @staticmethod
    def _is_retryable_error(error):
        return any(word in (error or "").lower() for word in _TRANSIENT)

    @staticmethod
    def _is_timeout_error(error):
        return any(word in (error or "").lower() for word in _TIMED_OUT)

    @staticmethod
    def _is_animation_url(url):
        return url.lower().split("?")[0].endswith(".gif")

    @staticmethod
    def _merge_caption(existing_text, new_text):
        """Both, each notified once."""
        if not existing_text or new_text.strip() in [part.strip() for part in existing_text.split("\n\n")]:
            return existing_text or new_text
        return ("%s\n\n%s" % (existing_text, new_text)).strip()
