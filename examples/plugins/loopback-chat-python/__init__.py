"""A chat over a port of this machine, one JSON object a line."""

import asyncio
import json
import os

from gateway.platforms.base import BasePlatformAdapter, MessageEvent, SendResult


class LoopbackAdapter(BasePlatformAdapter):
    """`{chat, user, text}` comes in, `{chat, text}` goes out."""

    _writer = None
    _reading = None

    async def connect(self, *, is_reconnect=False):
        if self._writer is not None:
            return True
        reader, self._writer = await asyncio.open_connection("127.0.0.1", int(os.environ["LOOPBACK_CHAT_PORT"]))
        self._reading = asyncio.create_task(self._read(reader))
        self._mark_connected()
        return True

    async def _read(self, reader):
        async for line in reader:
            incoming = json.loads(line)
            source = self.build_source(chat_id=incoming["chat"], user_id=incoming["user"])
            await self.handle_message(MessageEvent(text=incoming["text"], source=source))
        # The other side waits for ours to end as well.
        self._writer.close()
        self._writer = None
        self._set_fatal_error("connection_lost", "the chat server ended the connection", retryable=True)
        await self._notify_fatal_error()

    async def disconnect(self):
        if self._reading is not None:
            self._reading.cancel()
        if self._writer is not None:
            self._writer.close()
        self._reading = self._writer = None
        self._mark_disconnected()

    async def send(self, chat_id, content, reply_to=None, metadata=None):
        if self._writer is None:
            return SendResult(success=False, error="The chat is not connected.", retryable=True)
        self._writer.write((json.dumps({"chat": chat_id, "text": content}, ensure_ascii=False) + "\n").encode())
        await self._writer.drain()
        return SendResult(success=True)


def check_requirements():
    return bool(os.environ.get("LOOPBACK_CHAT_PORT"))


def _env_enablement():
    port = os.getenv("LOOPBACK_CHAT_PORT", "").strip()
    return {"port": int(port)} if port else None


def register(ctx):
    ctx.register_platform(
        name="loopback-chat",
        label="Loopback chat",
        adapter_factory=lambda cfg: LoopbackAdapter(cfg),
        check_fn=check_requirements,
        required_env=["LOOPBACK_CHAT_PORT"],
        env_enablement_fn=_env_enablement,
        cron_deliver_env_var="LOOPBACK_CHAT_HOME_CHANNEL",
        emoji="🔁",
        platform_hint="You are chatting over a plain line. Keep answers short.",
    )
