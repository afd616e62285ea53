import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure, type AnyTool, type Answer, type PluginContext, type Question } from "hermes-agent/plugin";
import { askUser, type ClarifyInput } from "./ask-user.ts";
import register from "./index.ts";

/** A user who gives one answer; records the questions. */
function prompter(answer: Answer): { asked: Question[]; ask(question: Question): Promise<Answer> } {
  const asked: Question[] = [];
  return { asked, ask: async (question) => (asked.push(question), answer) };
}

// Witnessed on hermes-agent 0.19.0.
const CASES: readonly (readonly [
  why: string,
  input: ClarifyInput,
  question: Question,
  offered: readonly string[] | null,
])[] = [
  ["an open question", { question: " q? " }, { kind: "text", text: "q?" }, null],
  ["no choices is an open question", { question: "q", choices: [] }, { kind: "text", text: "q" }, null],
  [
    "choices",
    { question: "q", choices: [" a ", "", "b"] },
    { kind: "choice", text: "q", choices: ["a", "b"], other: true },
    ["a", "b"],
  ],
  [
    "choices as objects, four at most",
    { question: "q", choices: ["a", { label: "L" }, { description: "D" }, { text: "T" }, { title: "TT" }, "e"] },
    { kind: "choice", text: "q", choices: ["a", "L", "D", "T"], other: true },
    ["a", "L", "D", "T"],
  ],
  [
    "choices as numbers",
    { question: "q", choices: [1, 2] },
    { kind: "choice", text: "q", choices: ["1", "2"], other: true },
    ["1", "2"],
  ],
];

for (const [why, input, question, offered] of CASES) {
  // req: tool-clarify.ask
  test(`asks the user and returns the answer: ${why}`, async () => {
    const other = prompter({ kind: "text", text: "ans " });
    assert.deepEqual(await askUser(input, other), {
      question: question.kind === "approval" ? "" : question.text,
      choices_offered: offered,
      user_response: "ans",
    });
    assert.deepEqual(other.asked, [question]);
  });
}

// req: tool-clarify.ask
test("reports a missing answer as a result; no connected user and a stopped turn are failures", async () => {
  const inTime = await askUser({ question: "q" }, prompter({ kind: "none", reason: "timeout" }));
  assert.match(inTime.user_response, /did not answer in time/);
  assert.match(
    (await askUser({ question: "q" }, prompter({ kind: "refused", reason: "not now" }))).user_response,
    /declined.*not now/,
  );
  const failsWith = (code: string) => (error: unknown) => error instanceof ToolFailure && error.code === code;
  await assert.rejects(askUser({ question: "q" }, prompter({ kind: "none", reason: "nobody" })), failsWith("nobody"));
  await assert.rejects(
    askUser({ question: "q" }, prompter({ kind: "none", reason: "cancelled" })),
    failsWith("cancelled"),
  );
});

// req: tool-clarify.ask
test("refuses a question without text and choices that are not a list before asking the user", async () => {
  const other = prompter({ kind: "text", text: "x" });
  await assert.rejects(askUser({ question: "  " }, other), /question is empty/);
  await assert.rejects(askUser({ question: "q", choices: "notalist" }, other), /must be a list/);
  assert.deepEqual(other.asked, []);
});

// req: tool-clarify.interactive-only
test("clarify declares that it needs a user", () => {
  const tools: AnyTool[] = [];
  void register({ tool: (tool: AnyTool) => tools.push(tool) } as unknown as PluginContext);
  assert.deepEqual(
    tools.map(({ name, toolset, effect, interactive }) => ({ name, toolset, effect, interactive })),
    [{ name: "clarify", toolset: "clarify", effect: "none", interactive: true }],
  );
});
