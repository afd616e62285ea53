import assert from "node:assert/strict";
import { test } from "node:test";
import { startChatServer } from "../../../examples/plugins/loopback-chat/chat-server.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { PlatformMessage } from "../../contract/providers/platform.ts";
import { setUp } from "../../host/plugins/plugins-fixture.ts";
import { withPython } from "../test/hosts-fixture.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";
import { withTimeout } from "../../testing/wait-for.ts";

/** The guide's adapter, with a connection in place of the dots. */
const GUIDE = `import asyncio, json, os
from gateway.platforms.base import BasePlatformAdapter, MessageEvent

class MyPlatformAdapter(BasePlatformAdapter):
    async def connect(self):
        reader, self.writer = await asyncio.open_connection("127.0.0.1", int(os.environ["MYPLATFORM_TOKEN"]))
        self.task = asyncio.create_task(self.read(reader))
        return True
    async def read(self, reader):
        async for line in reader:
            said = json.loads(line)
            await self.handle_message(MessageEvent(text=said["text"], source=self.build_source(said["chat"], user_id=said["user"])))
    async def send(self, chat_id, text):
        self.writer.write((json.dumps({"chat": chat_id, "text": text}) + "\\n").encode())
    async def disconnect(self):
        self.task.cancel()
        self.writer.close()

def check_requirements():
    return bool(os.environ.get("MYPLATFORM_TOKEN"))

def _env_enablement():
    tok = os.getenv("MYPLATFORM_TOKEN", "").strip()
    return {"token": tok} if tok else None

def register(ctx):
    ctx.register_platform(name="myplatform", label="MyPlatform", adapter_factory=lambda cfg: MyPlatformAdapter(cfg), check_fn=check_requirements,
        required_env=["MYPLATFORM_TOKEN"], env_enablement_fn=_env_enablement, cron_deliver_env_var="MYPLATFORM_HOME_CHANNEL", emoji="💬",
        platform_hint="You are chatting via MyPlatform. Keep responses concise.")
`;

const MANIFEST =
  "kind: platform\nversion: 1.0.0\ndescription: d\nrequires_env:\n  - name: MYPLATFORM_TOKEN\n    description: Bot token\n    password: true\n";

// req: plugins.platform-python, platforms.abstract-methods
test("the guide's adapter in Python serves a chat with its three methods", withPython, async (t) => {
  await using server = await startChatServer();
  const folder = "home/plugins/platforms/myplatform";
  const place = setUp(
    t,
    {
      [`${folder}/adapter.py`]: GUIDE,
      [`${folder}/__init__.py`]: "from .adapter import register\n",
      [`${folder}/plugin.yaml`]: `name: myplatform-platform\nlabel: MyPlatform\n${MANIFEST}`,
    },
    "plugins:\n  enabled: [platforms/myplatform]\n",
  );
  const { host } = await place.start({ MYPLATFORM_TOKEN: String(server.port) }, { hosts: true });
  const platform = await host.slots.use("platform", "myplatform");
  assert.equal(await platform.check_fn?.(), true);
  assert.deepEqual(await platform.env_enablement_fn?.(), { token: String(server.port) });
  const received = Promise.withResolvers<PlatformMessage>();
  const adapter = await platform.adapter_factory({
    enabled: true,
    extra: {},
    message: async (message) => received.resolve(message),
  });
  assert.equal(await adapter.connect({ is_reconnect: false }), true);
  await server.write("c1", "ada", "hello");
  assert.deepEqual(withoutUndefined(await withTimeout(received.promise, { what: "the message arrives" })), {
    text: "hello",
    chat_id: "c1",
    chat_type: "dm",
    user_id: "ada",
  });
  assert.notEqual(
    (await adapter.send("c1", "Hello Ada.", { reply_to: "m1", metadata: { thread_id: "t" } }))?.success,
    false,
  );
  assert.deepEqual(await server.arrived(), { chat_id: "c1", text: "Hello Ada." });
  assert.deepEqual([adapter.send_typing, adapter.edit_message], [undefined, undefined]);
  assert.deepEqual(await adapter.get_chat_info?.("c1"), { name: "c1", type: "dm", chat_id: "c1" });
  await adapter.disconnect();
});

/** An adapter that records its calls, and fails on demand. */
const NOTED = `import os
from gateway.config import Platform
from gateway.platforms.base import BasePlatformAdapter, MessageEvent, MessageType, SendResult

class NotedAdapter(BasePlatformAdapter):
    made = 0
    notes = []
    def __init__(self, config, **kwargs):
        super().__init__(config=config, platform=Platform("noted"))
        NotedAdapter.made += 1
        self.number = NotedAdapter.made
    async def connect(self, *, is_reconnect: bool = False) -> bool:
        if self.config.extra.get("key") != "right":
            self._set_fatal_error("bad_key", "The key of noted is refused", retryable=False)
            return False
        self._mark_connected()
        self.notes.append("connect %d %s %s" % (self.number, is_reconnect, self.is_connected))
        return True
    async def disconnect(self) -> None:
        self._mark_disconnected()
        self.notes.append("disconnect %d" % self.number)
    async def send(self, chat_id, content, reply_to=None, metadata=None):
        if content == "notes":
            return SendResult(success=True, raw_response=self.notes, message_id=str(self.number))
        if content == "event":
            source = self.build_source(chat_id=chat_id, chat_type="forum", chat_name="Room", user_id=7, user_name="Ada", thread_id=11)
            event = MessageEvent(text="look", message_type=MessageType.PHOTO, source=source, message_id=42, media_urls=["/a.png"], reply_to_text="before", channel_context="talk")
            return SendResult(success=True, raw_response=[await self.handle_message(event), event.is_command()])
        if content == "lost":
            self._set_fatal_error("gone", "noted hung up", retryable=True)
            await self._notify_fatal_error()
        if content == "pieces":
            return SendResult(success=True, raw_response=self.truncate_message("first words of it\\n\`\`\`sh\\n" + "line\\n" * 9 + "\`\`\`", 60))
        return SendResult(success=False, error="not now", retryable=True, retry_after=2.5)
    async def send_typing(self, chat_id, metadata=None):
        self.notes.append("typing in %s" % chat_id)
    async def edit_message(self, chat_id, message_id, content, *, finalize=False):
        self.notes.append("edit %s in %s: %s %s" % (message_id, chat_id, content, finalize))
        return SendResult(success=True, message_id=message_id)
    async def send_document(self, chat_id, file_path, caption=None, file_name=None):
        self.notes.append("document %s as %s: %s" % (file_path, file_name, caption))
        return SendResult(success=True, message_id="d1")

class Half(BasePlatformAdapter):
    async def connect(self): return True
    async def disconnect(self): ...

def register(ctx):
    ctx.register_platform("noted", "Noted", lambda cfg: NotedAdapter(cfg), max_message_length=100, allowed_users_env="NOTED_ALLOWED_USERS", validate_config=lambda cfg: bool(cfg.extra.get("key")))
    ctx.register_platform("half", "Half", lambda cfg: Half(cfg))
`;

// req: platforms.abstract-methods
test(
  "an adapter in Python types, edits, reports why it cannot connect, and is created again for the next connection",
  withPython,
  async (t) => {
    const place = setUp(
      t,
      {
        "home/plugins/noted/__init__.py": NOTED,
        "home/plugins/noted/plugin.yaml": "name: noted\nkind: platform\nversion: 1.0.0\ndescription: d\n",
      },
      "plugins:\n  enabled: [noted]\n",
    );
    const { host, log } = await place.start({}, { hosts: true });
    const platform = await host.slots.use("platform", "noted");
    assert.deepEqual([platform.max_message_length, platform.allowed_users_env], [100, "NOTED_ALLOWED_USERS"]);

    const complete = async (extra: JsonObject): Promise<unknown> =>
      platform.validate_config?.({ enabled: true, extra, message: async () => {} });
    assert.deepEqual([await complete({}), await complete({ key: "any" })], [false, true]);

    const refused = await platform.adapter_factory({ enabled: true, extra: { key: "wrong" }, message: async () => {} });
    await assert.rejects(async () => refused.connect({ is_reconnect: false }), {
      message: "The key of noted is refused",
    });

    const received: PlatformMessage[] = [];
    const lost = Promise.withResolvers<string>();
    let fails = false;
    const message = async (event: PlatformMessage): Promise<void> => {
      received.push(event);
      if (fails) throw new Error("the disk is full");
    };
    const adapter = await platform.adapter_factory({
      enabled: true,
      extra: { key: "right" },
      message,
      lost: lost.resolve,
    });
    assert.equal(await adapter.connect({ is_reconnect: false }), true);
    await adapter.send_typing?.("c1");
    assert.equal((await adapter.edit_message?.("c1", "m1", "new words"))?.message_id, "m1");
    assert.equal((await adapter.edit_message?.("c1", "m1", "half", { finalize: false }))?.success, true);
    assert.equal(
      (
        await adapter.send_document?.("c1", "/tmp/copy", {
          file_name: "report.pdf",
          caption: "Here.",
          metadata: { thread_id: "t" },
        })
      )?.message_id,
      "d1",
    );
    assert.equal(adapter.send_voice, undefined, "a method that only the base class has does not count as implemented");
    assert.deepEqual(await adapter.send("c1", "hello", {}), {
      success: false,
      message_id: null,
      error: "not now",
      raw_response: null,
      retryable: true,
      retry_after: 2.5,
      continuation_message_ids: [],
      error_kind: null,
    });

    assert.deepEqual((await adapter.send("c1", "event", {}))?.raw_response, [null, false]);
    fails = true;
    assert.equal(
      (await adapter.send("c1", "event", {}))?.success,
      true,
      "an error in the gateway does not stop the adapter",
    );
    assert.deepEqual(received[0], {
      text: "look",
      chat_id: "c1",
      chat_type: "group",
      chat_name: "Room",
      user_id: "7",
      user_name: "Ada",
      thread_id: "11",
      message_id: "42",
      reply_to_text: "before",
      channel_context: "talk",
      media_urls: ["/a.png"],
    });
    assert.ok(log.lines.some((line) => line.message === "Cannot accept a message of a platform."));
    assert.deepEqual((await adapter.send("c1", "pieces", {}))?.raw_response, [
      "first words of it\n```sh\nline\nline\nline\nline\n``` (1/2)",
      "```sh\nline\nline\nline\nline\nline\n``` (2/2)",
    ]);

    await adapter.send("c1", "lost", {});
    assert.equal(await withTimeout(lost.promise, { what: "the connection is reported as lost" }), "noted hung up");
    assert.equal(await adapter.connect({ is_reconnect: true }), true);
    const notes = await adapter.send("c1", "notes", {});
    assert.deepEqual(notes?.raw_response, [
      "connect 2 False True",
      "typing in c1",
      "edit m1 in c1: new words True",
      "edit m1 in c1: half False",
      "document /tmp/copy as report.pdf: Here.",
      "disconnect 2",
      "connect 3 True True",
    ]);
    assert.equal(notes?.message_id, "3");

    const half = await host.slots.use("platform", "half");
    await assert.rejects(
      async () => half.adapter_factory({ enabled: true, extra: {}, message: async () => {} }),
      /abstract.*send/,
    );
  },
);
