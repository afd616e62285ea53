import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp } from "../../host/plugins/plugins-fixture.ts";
import { enabled, pythonCode, pythonPlugin, registersPython, answerOf, withPython } from "../test/hosts-fixture.ts";

const ADAPTER = `import asyncio
from gateway import PlatformConfig, load_gateway_config
from gateway.config import HomeChannel, Platform
from gateway.platform_registry import PlatformEntry
from gateway.platforms import BasePlatformAdapter, MessageEvent, SendResult
from gateway.session import SessionSource

class Pond(BasePlatformAdapter):
    def __init__(self, config):
        super().__init__(config, Platform("pond"))
        self.sent, self.typed = [], 0

    async def connect(self, *, is_reconnect=False):
        # As adapters do: a task is kept where it is not collected, and leaves when it is done.
        task = asyncio.create_task(asyncio.sleep(60))
        self._background_tasks.add(task)
        task.add_done_callback(self._background_tasks.discard)
        self.task = task
        self._mark_connected()
        return True

    async def disconnect(self):
        self._mark_disconnected()

    async def send(self, chat_id, content, reply_to=None, metadata=None):
        self.sent.append(content)
        if content == "wet" and len(self.sent) < 3:
            return SendResult(success=False, error="ConnectionReset by the pond")
        return SendResult(success=content != "slow", error="timed out" if content == "slow" else None)

    async def send_typing(self, chat_id, metadata=None):
        self.typed += 1

    def supports_draft_streaming(self, chat_type=None, metadata=None):
        return super().supports_draft_streaming(chat_type, metadata)
`;

test(
  "members of the base class that adapters call exist: tasks that end with the connection, retries, typing, captions, questions",
  withPython,
  async (t) => {
    const code = `${pythonCode(ADAPTER)}
async def acts(args, **k):
    pond = Pond(PlatformConfig(enabled=True))
    await pond.connect()
    tried = [(await pond._send_with_retry("1", text, base_delay=0)).success for text in ("wet", "slow")]
    try:
        await asyncio.wait_for(pond._keep_typing("1", interval=0.01), 0.2)
    except asyncio.TimeoutError:
        pass
    typed = pond.typed > 1
    pond.pause_typing_for_chat("1")
    entry = PlatformEntry(name="pond", label="Pond", adapter_factory=Pond, check_fn=None)
    await entry.connect()
    left = entry._adapter.task
    await entry.disconnect()
    await pond.cancel_background_tasks()
    return json.dumps([
        tried, pond.sent, typed, pond.task.cancelled(), left.cancelled(), len(pond._background_tasks), pond.enforces_own_access_policy, pond.authorization_is_upstream, pond.supports_draft_streaming("dm"), pond.streaming_overflow_limit(),
        pond._is_sender_authorized("u"), pond.has_pending_interrupt("s"), pond.get_pending_message("s"), sorted(pond._typing_paused), pond.prepare_tts_text("**Hi** [x](y)"), pond._is_animation_url("https://a.b/c.GIF?x"), pond._merge_caption("a", "b"), pond._merge_caption("a\\n\\nb", " b "), pond._is_timeout_error("Read timed out"),
    ])
${registersPython("acts")}`;
    const { host } = await setUp(t, pythonPlugin("pond", code), enabled("pond")).start({}, { hosts: true });
    assert.deepEqual(JSON.parse(await answerOf(host, "acts")), [
      [true, false],
      ["wet", "wet", "wet", "slow"],
      true,
      true,
      true,
      0,
      false,
      false,
      false,
      null,
      null,
      false,
      null,
      ["1"],
      "Hi xy",
      true,
      "a\n\nb",
      "a\n\nb",
      true,
    ]);
  },
);

test("platforms, their settings and message sources have the original's names and forms", withPython, async (t) => {
  const code = `${pythonCode(ADAPTER)}
def forms(args, **k):
    source = SessionSource(platform=Platform.MATRIX, chat_id="1", chat_type="group", chat_name="Pond", user_id="u", thread_id="7", guild_id="g")
    config = PlatformConfig.from_dict({"enabled": True, "token": "t", "url": "https://a.b", "home_channel": {"platform": "pond", "chat_id": 5}})
    gateway = load_gateway_config()
    return json.dumps([
        source.description, SessionSource.from_dict(source.to_dict()) == SessionSource(**{**vars(source), "scope_id": "g"}), source.to_dict(), config.extra, config.home_channel.to_dict(), PlatformConfig.from_dict(config.to_dict()) == config,
        [one.value for one in gateway.get_connected_platforms()], gateway.platforms[Platform("pond")].extra, gateway.get_home_channel(Platform("nowhere")), Platform("feishu") is Platform.FEISHU,
    ])
${registersPython("forms")}`;
  const { host } = await setUp(
    t,
    pythonPlugin("pond", code),
    `${enabled("pond")}platforms:\n  pond: { enabled: true, depth: 3 }\n  sea: { enabled: false }\n`,
  ).start({}, { hosts: true });
  assert.deepEqual(JSON.parse(await answerOf(host, "forms")), [
    "group: Pond, thread: 7",
    true,
    {
      platform: "matrix",
      chat_id: "1",
      chat_name: "Pond",
      chat_type: "group",
      user_id: "u",
      user_name: null,
      thread_id: "7",
      chat_topic: null,
      scope_id: "g",
      guild_id: "g",
    },
    { url: "https://a.b" },
    { platform: "pond", chat_id: "5", name: "Home" },
    true,
    ["pond"],
    { depth: 3 },
    null,
    true,
  ]);
});
