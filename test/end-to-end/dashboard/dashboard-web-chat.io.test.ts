import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { ModelScript, ModelServer } from "../../servers/script.ts";
import type { Recorded } from "../../../src/contract/conversation/fact.ts";
import type { ChatItem, ChatState } from "../../../src/surfaces/dashboard/chats/chat-state.ts";
import type { ReceivedEvent } from "../../../src/surfaces/dashboard/page/event-stream.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";
import { DashboardScene } from "../support/dashboard-scene.ts";
import { listen, type Stream } from "../support/dashboard-stream.ts";

interface ChatScene extends AsyncDisposable {
  readonly scene: DashboardScene;
  readonly model: ModelServer;
  readonly id: string;
  readonly page: Stream;
  state(): Promise<ChatState>;
  send(text: string, more?: object): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  post(
    path: string,
    body?: object,
    method?: string,
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  facts(): Promise<readonly Recorded[]>;
}

const SLOW = { betweenMs: 40, deltaChars: 1 } as const;

/** A chat whose model is a loopback server, and a page that shows it. */
async function chatting(script: ModelScript, config = ""): Promise<ChatScene> {
  const stack = new AsyncDisposableStack();
  const model = stack.use(await startOpenAiServer(script));
  const scene = stack.use(await DashboardScene.open((user) => user.connect("custom", model.url, config)));
  const { id } = (await scene.ask("POST", "/api/chats", {})).json<{ readonly id: string }>();
  const page = stack.use(await listen(scene, `topics=facts,chat&session=${id}`));
  await page.find(({ event }) => event === "ready");
  let sent = 0;
  const post: ChatScene["post"] = async (path, body = {}, method = "POST") => {
    const { status, json } = await scene.ask(method, `/api/chats/${id}${path}`, body);
    return { status, body: json() };
  };
  return {
    scene,
    model,
    id,
    page,
    post,
    state: async () => (await scene.get<{ readonly state: ChatState }>(`/api/chats/${id}`)).state,
    send: (text, more = {}) => post("/messages", { inputId: `message-${++sent}`, text, ...more }),
    facts: () => Array.fromAsync(scene.app.sessions.factsOf(id)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const factsIn = ({ event, data }: ReceivedEvent): readonly Recorded[] =>
  event === "facts" ? (data as { readonly facts: readonly Recorded[] }).facts : [];
const has =
  (type: string, text = "") =>
  (event: ReceivedEvent): boolean =>
    factsIn(event).some(({ fact }) => fact.type === type && JSON.stringify(fact).includes(text));
const isText = ({ event, data }: ReceivedEvent): boolean =>
  event === "delta" && (data as { readonly kind: string }).kind === "text";
const readBy = async ({ facts }: ChatScene): Promise<readonly string[]> =>
  (await facts()).flatMap(({ fact }) =>
    fact.type === "message.added" ? fact.parts.map((part) => (part.type === "text" ? part.text : part.mediaType)) : [],
  );
const idle = (chat: ChatScene) => waitFor(async () => !(await chat.state()).busy, { what: "the turn ends" });

test("streams text and thinking to every page in order; a page that opens later receives the text so far", async () => {
  await using chat = await chatting([{ thinking: "hm", text: "a slow answer", ...SLOW }]);
  await using other = await listen(chat.scene, `topics=chat&session=${chat.id}`);
  await other.find(({ event }) => event === "ready");
  assert.equal((await chat.send("hello")).status, 200);
  await chat.page.find(isText);
  await other.find(isText);
  const { partial, state, items } = await chat.scene.get<{
    readonly state: ChatState;
    readonly partial: { readonly text: string; readonly thinking: string };
    readonly items: readonly ChatItem[];
  }>(`/api/chats/${chat.id}`);
  assert.equal(state.busy, true);
  assert.ok("a slow answer".startsWith(partial.text) && partial.text !== "");
  assert.equal(partial.thinking, "hm");
  assert.deepEqual(
    items.map((item) => (item.kind === "message" ? item.text : item.kind)),
    ["hello"],
  );
  await chat.page.find(has("turn.ended"));
  for (const page of [chat.page, other]) {
    await page.find(({ data }) => JSON.stringify(data).includes('"busy":false'));
    const answered = page.events.findIndex(
      ({ event, data }) => event === "items" && JSON.stringify(data).includes("a slow answer"),
    );
    assert.ok(answered > 0);
    assert.equal(page.events.slice(answered).some(isText), false, "no delta after its answer");
    const deltas = page.events
      .filter(isText)
      .map(({ data }) => data as { readonly offset: number; readonly text: string });
    assert.equal(deltas.map(({ text }) => text).join(""), "a slow answer");
    for (const [at, { offset }] of deltas.entries())
      assert.equal(
        offset,
        deltas.slice(0, at).reduce((sum, { text }) => sum + text.length, 0),
      );
  }
});

test("queues messages during a turn; the user withdraws one, and the agent reads the other", async () => {
  await using chat = await chatting([{ text: "first answer, slowly", ...SLOW }, { text: "second" }]);
  await chat.send("one");
  await chat.send("two");
  await chat.send("three");
  const queued = (await chat.facts()).flatMap(({ fact }) => (fact.type === "input.queued" ? [fact.inputId] : []));
  assert.deepEqual(queued, ["page-message-2", "page-message-3"]);
  const taken = await chat.post("/queue/page-message-2", {}, "DELETE");
  assert.deepEqual(taken.body, { text: "two", images: [] });
  assert.match(String((await chat.post("/queue/page-message-2", {}, "DELETE")).body["error"]), /already read/);
  await chat.page.find(has("message.added", "three"));
  await idle(chat);
  assert.deepEqual(await readBy(chat), ["one", "three"]);
});

test("handles a message that the page sends twice only once", async () => {
  await using chat = await chatting([{ text: "done" }]);
  await Promise.all([chat.send("once", { inputId: "the-same-id" }), chat.send("once", { inputId: "the-same-id" })]);
  await idle(chat);
  assert.equal((await chat.send("once", { inputId: "the-same-id", again: true })).status, 200);
  await idle(chat);
  assert.deepEqual(await readBy(chat), ["once"]);
  assert.equal(chat.model.requests.length, 1);
});

test("steers the running turn with its next tool result; a stop withdraws queued messages", async () => {
  await using chat = await chatting([
    { calls: [{ tool: "terminal", args: { command: "sleep 1" } }] },
    { text: "a long answer that is stopped before its end", ...SLOW },
    { text: "after" },
  ]);
  await chat.send("work");
  await chat.page.find(has("tool.started"));
  await chat.send("with tabs", { mode: "steer" });
  await chat.page.find(has("message.added", "with tabs"));
  await chat.page.find(isText);
  await chat.send("later");
  const stopped = await chat.post("/stop");
  assert.deepEqual(stopped.body, { withdrawn: [{ text: "later", images: [] }] });
  await chat.page.find(has("turn.ended", "cancelled"));
  await idle(chat);
  assert.deepEqual(await readBy(chat), ["work", "with tabs"]);
});

test("shows the whole effect list of an approval; a denial carries its reason; the first answer counts", async () => {
  await using chat = await chatting([
    {
      calls: [
        { tool: "terminal", args: { command: `rm -rf ${Array.from({ length: 20 }, (_, at) => `d${at}`).join(" ")}` } },
      ],
    },
    { text: "I left it." },
  ]);
  await chat.send("clean up");
  const asked = await chat.page.find(
    ({ event, data }) => event === "chat" && (data as ChatState).questions.length === 1,
  );
  const [question] = (asked.data as ChatState).questions;
  assert.ok(question?.kind === "approval");
  const lines = question.parts.map(({ text }) => text);
  for (let at = 0; at < 20; at++)
    assert.ok(
      lines.some((line) => line.endsWith(`/d${at} (recursive)`)),
      `d${at}`,
    );
  assert.ok(question.leftMs > 0 && question.leftMs <= 60_000);
  const [pending] = (
    await chat.scene.get<{ readonly pending: readonly { readonly sessionId: string; readonly id: string }[] }>(
      "/api/approvals",
    )
  ).pending;
  assert.equal(pending?.sessionId, chat.id);
  const answer = (body: object) => chat.post(`/questions/${question.id}`, body);
  assert.match(String((await answer({ choice: "forever" })).body["error"]), /does not offer/);
  assert.equal((await answer({ choice: "deny", reason: "they are needed" })).status, 200);
  assert.match(String((await answer({ choice: "once" })).body["error"]), /closed/);
  await waitFor(async () =>
    /closed/.test((await chat.scene.ask("POST", `/api/approvals/${pending.id}`, { choice: "once" })).text),
  );
  await idle(chat);
  const given = (await chat.facts()).flatMap(({ fact }) => (fact.type === "approval.given" ? [fact.decision] : []));
  assert.equal(given.length, 1);
  assert.match(JSON.stringify(given[0]), /"deny".*they are needed/);
});

test("denies an unanswered approval, even if no page is open", async () => {
  await using chat = await chatting(
    [{ calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] }, { text: "I left it." }],
    "approvals:\n  timeout: 1\n",
  );
  await chat.page[Symbol.asyncDispose]();
  await chat.send("clean up");
  await idle(chat);
  const given = (await chat.facts()).flatMap(({ fact }) => (fact.type === "approval.given" ? [fact.decision] : []));
  assert.match(JSON.stringify(given), /"deny".*Silence is not consent/);
});

test("a clarifying question accepts only its choices, or text if it permits text", async () => {
  await using chat = await chatting([
    { calls: [{ tool: "clarify", args: { question: "Which colour?", choices: ["red", "blue"] } }] },
    { text: "Blue it is." },
  ]);
  await chat.send("paint it");
  const asked = await chat.page.find(
    ({ event, data }) => event === "chat" && (data as ChatState).questions.length === 1,
  );
  const [question] = (asked.data as ChatState).questions;
  assert.partialDeepStrictEqual(question, { kind: "choice", choices: ["red", "blue"] });
  assert.match(String((await chat.post(`/questions/${question!.id}`, { text: " " })).body["error"]), /empty/);
  assert.equal((await chat.post(`/questions/${question!.id}`, { text: "blue" })).status, 200);
  await idle(chat);
  const settled = (await chat.facts()).find(({ fact }) => fact.type === "tool.settled");
  assert.match(JSON.stringify(settled), /blue/);
});

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("adds images to the message, saves other files for tools, and refuses files that are too large", async () => {
  await using chat = await chatting([{ text: "nice" }]);
  const file = (name: string, data: Buffer) => ({ name, data: data.toString("base64") });
  await chat.send("look", {
    attachments: [file("dot.png", PNG), file("../../e vil/.notes.txt", Buffer.from("the weasel sleeps"))],
  });
  await idle(chat);
  const [, image, note] = await readBy(chat);
  assert.equal(image, "image/png");
  const path = /\[Attached file: notes\.txt, at (.+)\]/.exec(note ?? "")?.[1] ?? "";
  assert.ok(path.startsWith(`${chat.scene.prompter.agentHome}/cache/documents/`), path);
  assert.equal(readFileSync(path, "utf8"), "the weasel sleeps");
  const big = await chat.send("look", { attachments: [file("big.bin", Buffer.alloc(21 * 1024 * 1024))] });
  assert.match(String(big.body["error"]), /larger than 20 MB/);
  const wide = await chat.send("look", {
    attachments: [file("big.png", Buffer.concat([PNG, Buffer.alloc(6 * 1024 * 1024)]))],
  });
  assert.match(String(wide.body["error"]), /the limit is 5 MB/);
  assert.match(
    String((await chat.send("look", { attachments: Array(11).fill(file("a.txt", PNG)) })).body["error"]),
    /at most 10/,
  );
  assert.equal((await readBy(chat)).length, 3);
});

test("runs slash commands, shows their output in every page, and switches the page that sent one", async () => {
  await using chat = await chatting([{ text: "hello" }, { text: "hello again" }]);
  await chat.send("hi");
  await idle(chat);
  await chat.send("/title A weasel");
  assert.equal((await chat.scene.app.sessions.find(chat.id)).title, "A weasel");
  const note = await chat.page.find(({ event, data }) => event === "chat" && JSON.stringify(data).includes("Titled"));
  assert.partialDeepStrictEqual((note.data as ChatState).notes.at(-1), { command: "/title A weasel" });
  await chat.send("/nosuch");
  assert.match((await chat.state()).notes.at(-1)?.text ?? "", /Unknown command/);
  const branch = (await chat.send("/branch copy")).body["goTo"];
  const copy = await chat.scene.app.sessions.find(String(branch));
  assert.deepEqual([copy.title, copy.parentId], ["copy", chat.id]);
  const fresh = (await chat.send("/new")).body["goTo"];
  assert.notEqual(fresh, chat.id);
  assert.deepEqual((await chat.send("/undo")).body, { draft: "hi" });
  const commands = await chat.scene.get<readonly { readonly name: string }[]>(`/api/chats/${chat.id}/commands`);
  assert.ok(["new", "model", "compress", "goal"].every((name) => commands.some((one) => one.name === name)));
  assert.equal(
    commands.some(({ name }) => name === "quit" || name === "approve"),
    false,
  );
  const found = await chat.scene.get<readonly string[]>(
    `/api/chats/${chat.id}/complete?line=${encodeURIComponent("/goal pa")}`,
  );
  assert.deepEqual(found, ["pause"]);
});

test("refuses to open a session that another process uses, or one of a chat user", async () => {
  await using chat = await chatting([{ text: "hello" }]);
  await using session = await chat.scene.app.openSession({ surface: "cli", cwd: chat.scene.prompter.folder });
  await session.send("mine");
  const refused = await chat.scene.ask("GET", `/api/chats/${session.id}`);
  assert.equal(refused.status, 400);
  assert.match(refused.text, /is in use by/);
  await using theirs = await chat.scene.app.openSession({
    surface: "telegram",
    cwd: chat.scene.prompter.folder,
    whose: "telegram:7",
  });
  await theirs.send("hi");
  assert.match((await chat.scene.ask("GET", `/api/chats/${theirs.id}`)).text, /belongs to a chat user/);
});

test("starts a chat in the given folder, keeps it for /new, and refuses paths that are not folders", async () => {
  await using chat = await chatting([]);
  const { scene } = chat;
  scene.prompter.write("other/notes.txt", "");
  const cwd = `${scene.prompter.folder}/other`;
  const begin = (at: unknown) => scene.ask("POST", "/api/chats", { cwd: at });
  const { id } = (await begin(`${cwd}/`)).json<{ readonly id: string }>();
  const folderOf = async (chatId: unknown): Promise<string> =>
    (await scene.get<{ readonly state: ChatState }>(`/api/chats/${String(chatId)}`)).state.cwd;
  assert.equal(await folderOf(id), cwd);
  const fresh = await scene.ask("POST", `/api/chats/${id}/messages`, { inputId: "message-new", text: "/new" });
  const { goTo } = fresh.json<{ readonly goTo: string }>();
  assert.notEqual(goTo, id);
  assert.equal(await folderOf(goTo), cwd);
  for (const at of ["other", `${cwd}/notes.txt`, `${cwd}/nosuch`, ""]) {
    const { status, text } = await begin(at);
    assert.equal(status, 400, at);
    assert.match(text, /is not a folder of this machine/);
  }
});

test("every route of chats and approvals needs the token", async () => {
  await using chat = await chatting([{ text: "hello" }]);
  const routes = [
    ["POST", "/api/chats"],
    ["GET", `/api/chats/${chat.id}`],
    ["POST", `/api/chats/${chat.id}/messages`],
    ["POST", `/api/chats/${chat.id}/stop`],
    ["POST", `/api/chats/${chat.id}/questions/q`],
    ["GET", "/api/approvals"],
    ["POST", "/api/approvals/q"],
    ["DELETE", "/api/approvals/rules/r"],
  ] as const;
  for (const [method, path] of routes)
    assert.equal((await chat.scene.ask(method, path, method === "GET" ? undefined : {}, {})).status, 401, path);
  assert.equal(existsSync(`${chat.scene.prompter.agentHome}/cache/documents`), false);
});
