import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "../../../contract/services/app.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import { chatHost } from "./chat-host.ts";
import type { ChatConversation } from "./chat-conversation.ts";
import type { ChatPrompter } from "./chat-prompter.ts";
import type { PlatformPlan } from "../../shared/gateway/platform-plans.ts";

const MESSAGE = { text: "/new", chat_id: "c1", chat_type: "dm", user_id: "ada" } as const;

function world({
  extra = {},
  whose,
  shared = false,
  again = 0,
}: { readonly extra?: JsonObject; readonly whose?: string; readonly shared?: boolean; readonly again?: number } = {}) {
  const message: unknown[] = [];
  const before = { id: "s1", interrupt: async (reason: string) => void message.push(["interrupt", reason]) };
  const conversation = {
    session: before,
    yolo: false,
    setYolo: (on: boolean) => void message.push(["yolo", on]),
    open: async (how: object) => (message.push(["open", how]), { id: "s2" }),
    speaks: ({ id }: { readonly id: string }) => void message.push(["speaks", id]),
    note: async ({ id }: { readonly id: string }) => void message.push(["note", id]),
  } as unknown as ChatConversation;
  const host = chatHost(MESSAGE, {
    app: {} as App,
    signal: new AbortController().signal,
    plan: { name: "irc", settings: { extra } } as unknown as PlatformPlan,
    whose,
    shared,
    conversation,
    prompter: {} as ChatPrompter,
    leave: async () => void message.push(["leave"]),
    again: async () => again,
    key: "irc:room",
    announce: async () => {},
  });
  return { told: message, host, before };
}

test("switching the session stops the running turn, leaves the old session, and stores the new one", async () => {
  const { told: message, host, before } = world();
  assert.equal(host.session(), before);
  await host.switchSession!({ sessionId: "s2", model: { name: "m" } });
  assert.deepEqual(message, [
    ["interrupt", "another session was opened"],
    ["leave"],
    ["open", { fresh: true, sessionId: "s2", model: { name: "m" } }],
    ["speaks", "s2"],
    ["note", "s2"],
  ]);
});

const mayYolo = (how: Parameters<typeof world>[0]) => world(how).host.chat!.mayRun("yolo");

test("only the owner or an admin may turn approvals off, and no one in a shared conversation", () => {
  const admins = { allow_admin_from: "ada" };
  assert.deepEqual([mayYolo({}), mayYolo({ extra: admins, whose: "irc:ada" })], [true, true]);
  assert.deepEqual(
    [mayYolo({ whose: "irc:ada" }), mayYolo({ shared: true }), mayYolo({ extra: admins, shared: true })],
    [false, false, false],
  );
  assert.equal(mayYolo({ extra: { allow_admin_from: "eve", user_allowed_commands: "yolo" } }), false);
});

test("a non-admin may run the listed commands, and /whoami explains whose memory the agent has", () => {
  const { chat } = world({
    extra: { allow_admin_from: "eve", user_allowed_commands: "/status" },
    whose: "irc:ada",
  }).host;
  assert.deepEqual(
    ["status", "help", "new"].map((command) => chat!.mayRun(command)),
    [true, true, false],
  );
  assert.equal(chat!.whose, "irc:ada");
  assert.match(
    chat!.whoami(),
    /You are ada, in a direct chat\. Your commands: \/help, \/whoami, \/status\. .*search only its own earlier conversations/,
  );
  assert.doesNotMatch(world().host.chat!.whoami(), /search only its own/);
  assert.equal("whose" in world().host.chat!, false);
});

test("reports when there is nothing to resend; otherwise the resent messages are the answer", async () => {
  assert.equal(await world().host.chat!.again(), "There is nothing to resend.");
  assert.equal(await world({ again: 2 }).host.chat!.again(), "");
});
