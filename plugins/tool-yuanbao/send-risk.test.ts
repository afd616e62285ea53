import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure } from "hermes-agent/plugin";
import { Service, type ServicePorts } from "./yuanbao-service.ts";
import { reachOfDirect, reachOfSticker, riskOfDirect, riskOfSticker } from "./send-risk.ts";

const inChat = (chat_id: string, platform = "yuanbao") => ({ chat: { platform, chat_id, thread_id: null } });

test("a message to the session's own chat does not ask; another chat, a user found by name and files do", () => {
  const own = { user_id: "u_1", message: "tea" };
  const asks = (
    given: Parameters<typeof riskOfDirect>[0],
    speaker: Parameters<typeof riskOfDirect>[1],
  ): readonly [string | undefined, number] => [riskOfDirect(given, speaker)?.key, reachOfDirect(given, speaker).length];
  assert.deepEqual(asks(own, inChat("direct:u_1")), [undefined, 0]);
  for (const speaker of [{}, inChat("direct:u_2"), inChat("direct:u_1", "irc")])
    assert.deepEqual(asks(own, speaker), ["message to yuanbao:direct:u_1", 1]);
  assert.deepEqual(asks({ ...own, media_files: [{ path: "a.png" }] }, inChat("direct:u_1")), [
    "message to yuanbao:direct:u_1",
    1,
  ]);
  assert.deepEqual(asks({ name: "Bob", message: "tea" }, inChat("group:7")), [
    "message to yuanbao:“Bob” of group 7",
    1,
  ]);
  assert.deepEqual(
    [riskOfSticker({ sticker: "252" }, inChat("group:7")), reachOfSticker({}, inChat("group:7"))],
    [undefined, []],
  );
  assert.equal(riskOfSticker({ chat_id: "group:8" }, inChat("group:7"))?.key, "message to yuanbao:group:8");
});

test("does not ask about a call that will be refused", () => {
  assert.deepEqual(
    [
      riskOfDirect({}, {}),
      reachOfDirect({ message: "x" }, {}),
      riskOfSticker({}, {}),
      reachOfSticker({ chat_id: "a b" }, {}),
    ],
    [undefined, [], undefined, []],
  );
});

test("opens no second connection if a running gateway serves Yuanbao", async () => {
  const opened: string[] = [];
  const service = (platform: string, running: boolean): Service =>
    new Service({
      version: "1",
      env: () => "x",
      fetch: async (url: string) => (
        opened.push(url),
        Promise.reject(new ToolFailure("unreachable", "no server listens"))
      ),
      socket: async () => Promise.reject(new ToolFailure("unreachable", "no server listens")),
      chats: async () => ({ platforms: () => [{ name: platform }], running: async () => running }),
    } as unknown as ServicePorts);
  const message = (of: Service): Promise<string> =>
    of.use(async () => "open", new AbortController().signal).catch((cause: unknown) => (cause as Error).message);
  assert.match(await message(service("yuanbao", true)), /gateway is signed in with the bot/);
  assert.deepEqual(opened, []);
  assert.deepEqual(
    [await message(service("yuanbao", false)), await message(service("irc", true))],
    ["no server listens", "no server listens"],
  );
  assert.equal(opened.length, 2);
});
