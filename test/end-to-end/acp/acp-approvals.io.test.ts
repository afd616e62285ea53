import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { Editor } from "../support/editor.ts";
import { NewUser } from "../support/test-user.ts";
import { withTimeout } from "../../../src/testing/wait-for.ts";

/** An editor whose agent tries to delete the folder `build` at each prompt and reports the result. */
async function deleting(t: TestContext, settings = "") {
  const user = new NewUser();
  t.after(() => user[Symbol.dispose]());
  const model = await startOpenAiServer(({ body }) => {
    const last = (
      JSON.parse(body) as { readonly messages: readonly { readonly role: string; readonly content: unknown }[] }
    ).messages.at(-1)!;
    return last.role === "tool"
      ? { text: String(last.content) }
      : { calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] };
  });
  t.after(() => model.close());
  user.connect("custom", model.url, settings);
  const build = user.write("build/out.txt", "keep me");
  const editor = new Editor(user);
  t.after(() => editor[Symbol.asyncDispose]());
  return { prompter: user, editor, build, sessionId: await editor.begin(user.folder) };
}

// req: acp.server
test("asks the editor's user about a risky call on the call's card, explains each answer, and runs it after approval", async (t) => {
  const { editor, build, sessionId } = await deleting(t);
  editor.answer = () => "allow_session";
  assert.equal((await editor.prompt(sessionId, "clean up")).stopReason, "end_turn");
  const [asked] = editor.asked;
  assert.deepEqual(
    [asked?.sessionId, asked?.toolCall.toolCallId, asked?.toolCall.kind],
    [sessionId, editor.of("tool_call")[0]?.toolCallId, "execute"],
  );
  assert.deepEqual(
    asked?.options.map(({ optionId, kind }) => [optionId, kind]),
    [
      ["allow_once", "allow_once"],
      ["allow_session", "allow_always"],
      ["allow_always", "allow_always"],
      ["reject_once", "reject_once"],
    ],
  );
  const about = JSON.stringify(asked?.toolCall.content);
  assert.match(about, /rm -rf build/);
  assert.match(about, /delete .*build/);
  assert.equal(existsSync(build), false);
  await editor.prompt(sessionId, "and again");
  assert.equal(editor.asked.length, 1, "an approval for the session prevents a second question");
});

for (const [how, answer] of [
  ["a no", "reject_once"],
  ["a closed dialog", undefined],
  ["an answer that was not offered", "allow_everything"],
] as const) {
  // req: acp.server
  test(`${how} denies, and nothing runs`, async (t) => {
    const { editor, build, sessionId } = await deleting(t);
    editor.answer = () => answer;
    await editor.prompt(sessionId, "clean up");
    assert.ok(existsSync(build));
    assert.equal(editor.of("tool_call_update").at(-1)?.status, "failed");
    assert.match(editor.textOf("agent_message_chunk"), /refused|withdrawn|no consent/i);
  });
}

// req: acp.server
test("withdraws and denies an approval dialog at its timeout", async (t) => {
  const { editor, build, sessionId } = await deleting(t, "approvals:\n  timeout: 1\n");
  editor.answer = () => new Promise(() => {});
  await editor.prompt(sessionId, "clean up");
  assert.ok(existsSync(build));
  assert.match(editor.textOf("agent_message_chunk"), /No one answered within 1 s/);
});

// req: acp.server
test("an editor without dialogs, or that disconnects during one, denies", async (t) => {
  const broken = await deleting(t);
  broken.editor.answer = () => Promise.reject(new Error("no dialogs here"));
  await broken.editor.prompt(broken.sessionId, "clean up");
  assert.ok(existsSync(broken.build));
  const gone = await deleting(t);
  const asked = Promise.withResolvers<void>();
  gone.editor.answer = () => (asked.resolve(), new Promise(() => {}));
  gone.editor.prompt(gone.sessionId, "clean up").catch(() => {});
  await withTimeout(asked.promise, { what: "the question is asked" });
  assert.equal(await gone.editor.leave(), 0);
  assert.ok(existsSync(gone.build));
});

// req: acp.server
test("shows the diff of an edit that needs approval; a cancelled turn withdraws the question", async (t) => {
  using user = new NewUser();
  await using model = await startOpenAiServer([
    { calls: [{ tool: "write_file", args: { path: ".env", content: "COLOUR=blue\n" } }] },
    { text: "Done." },
  ]);
  user.connect("custom", model.url);
  const file = user.write(".env", "COLOUR=red\n");
  const editor = new Editor(user);
  t.after(() => editor[Symbol.asyncDispose]());
  const sessionId = await editor.begin(user.folder);
  const asked = Promise.withResolvers<void>();
  editor.answer = () => (asked.resolve(), new Promise(() => {}));
  const turn = editor.prompt(sessionId, "make it blue");
  await withTimeout(asked.promise, { what: "the question is asked" });
  assert.deepEqual(editor.asked[0]?.toolCall.content?.[0], {
    type: "diff",
    path: file,
    oldText: "COLOUR=red\n",
    newText: "COLOUR=blue\n",
  });
  await editor.agent.notify("session/cancel", { sessionId });
  assert.equal((await turn).stopReason, "cancelled");
  assert.equal(readFileSync(file, "utf8"), "COLOUR=red\n");
});

const ASKING = `export default (ctx) => {
  ctx.tool({
    name: "ask_it", toolset: "asking", description: "asks", input: { type: "object", properties: { question: { type: "object" } } }, effect: "none",
    async execute({ question }, call) { return call.ask(question); },
  });
};
`;

// req: acp.server
test("shows a tool's question as a form or a choice; a request for a secret, or without forms, has no answer", async (t) => {
  using user = new NewUser();
  const questions = [
    { kind: "text", text: "Which colour?" },
    { kind: "choice", text: "Which one?", choices: ["left", "right"], other: false },
    { kind: "text", text: "Which password?", secret: true },
  ];
  await using model = await startOpenAiServer(({ body }) => {
    const { messages } = JSON.parse(body) as {
      readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    };
    const asked = messages.length - 1 - messages.findLastIndex(({ role }) => role === "user");
    return asked < 2 * questions.length
      ? { calls: [{ tool: "ask_it", args: { question: questions[asked / 2] } }] }
      : {
          text: messages
            .flatMap(({ role, content }) => (role === "tool" ? [String(content)] : []))
            .slice(-3)
            .join(" "),
        };
  });
  user.connect("custom", model.url, "plugins:\n  enabled: [asking]\n");
  user.write("~/.hermes/plugins/asking/plugin.yaml", "name: asking\nversion: 1.0.0\ndescription: asks\n");
  user.write("~/.hermes/plugins/asking/index.ts", ASKING);
  const editor = new Editor(user);
  t.after(() => editor[Symbol.asyncDispose]());
  editor.answer = ({ options }) => options.find(({ name }) => name === "right")?.optionId;
  editor.write = (message) => (message === "Which colour?" ? "blue" : undefined);
  await editor.prompt(await editor.begin(user.folder, { elicitation: { form: {} } }), "ask");
  assert.equal(
    editor.textOf("agent_message_chunk"),
    '{"kind":"text","text":"blue"} {"kind":"text","text":"right"} {"kind":"none","reason":"nobody"}',
  );
  const formless = new Editor(user);
  t.after(() => formless[Symbol.asyncDispose]());
  await formless.prompt(await formless.begin(user.folder), "ask");
  assert.match(
    formless.textOf("agent_message_chunk"),
    /^\{"kind":"none","reason":"nobody"\} \{"kind":"none","reason":"cancelled"\}/,
  );
});
