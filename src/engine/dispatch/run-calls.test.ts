import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question } from "../../contract/conversation/question.ts";
import { defineTool } from "../../contract/tools/tool.ts";
import { scriptedModel } from "../../testing/index.ts";
import { testSession } from "../../testing/test-session.ts";

/**
 * A minimal shell: `ls` reads; every other command changes something and needs approval. Logs each start and end.
 */
function shell(message: string[]) {
  return defineTool({
    name: "shell",
    toolset: "test",
    description: "Runs a command.",
    input: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
    effect: ({ command }) => (command.startsWith("ls") ? "read" : "execute"),
    risk: ({ command }) =>
      command.startsWith("ls") || command === "make"
        ? undefined
        : { answer: "ask", key: "delete", reasons: [`runs ${command}`], effects: [] },
    async execute({ command }) {
      message.push(`+${command}`);
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      message.push(`-${command}`);
      return command;
    },
  });
}

async function run(
  commands: readonly string[],
  rewritten: { readonly [command: string]: string },
  how: "guard" | "middleware",
  maxParallel = 4,
) {
  const message: string[] = [];
  const asked: Question[] = [];
  const model = scriptedModel([
    { calls: commands.map((command) => ({ tool: "shell", args: { command } })) },
    { text: "Done." },
  ]);
  await using agent = await testSession({
    model,
    tools: [shell(message)],
    config: { maxParallel },
    prompter: {
      async ask(question) {
        message.push("asked");
        asked.push(question);
        return { kind: "approved", scope: "once" };
      },
    },
  });
  const other = (args: { readonly [key: string]: unknown }): string | undefined => rewritten[String(args["command"])];
  if (how === "guard")
    agent.hooks.add(
      "pre_tool_call",
      ({ args }) =>
        other(args) === undefined ? undefined : ({ action: "modify", args: { command: other(args)! } } as const),
      "guard",
    );
  else
    agent.middlewares.add(
      "tool_request",
      async (input, next) => next({ args: { command: other(input.args) ?? String(input.args["command"]) } }),
      "middleware",
    );
  await agent.session.send("go");
  return { told: message, asked };
}

// req: dispatch.concurrency, R-30
for (const how of ["guard", "middleware"] as const) {
  test(`asks about a harmless command that a ${how} makes harmful, and runs it alone, not in parallel`, async () => {
    const { told: message, asked } = await run(["ls a", "ls b", "ls c"], { "ls b": "rm -rf x" }, how);
    assert.deepEqual(
      asked.map((question) => question.kind === "approval" && question.request.risk.reasons),
      [["runs rm -rf x"]],
    );
    assert.deepEqual(message, ["+ls a", "+ls c", "-ls a", "-ls c", "asked", "+rm -rf x", "-rm -rf x"]);
  });
}

test("runs equal calls of one answer once, and again after a call that may have changed their result", async () => {
  const runs = async (...commands: readonly string[]) =>
    (await run(commands, {}, "guard")).told.filter((line) => line.startsWith("+")).map((line) => line.slice(1));
  assert.deepEqual(await runs("make", "make"), ["make"]);
  assert.deepEqual(await runs("make", "ls a", "make"), ["make", "ls a"]);
  assert.deepEqual(await runs("ls a", "ls b", "ls a"), ["ls a", "ls b"]);
  assert.deepEqual(await runs("ls a", "make", "ls a", "ls a"), ["ls a", "make", "ls a"]);
  assert.deepEqual(await runs("make", "rm x", "make"), ["make", "rm x", "make"]);
  assert.deepEqual(await runs("ls a", "make", "ls a", "make"), ["ls a", "make", "ls a"]);
});

test("runs several changed calls one at a time in the order of the answer, even if they fill every lane", async () => {
  const { told: message } = await run(
    ["ls 1", "ls 2", "ls 3", "ls 4", "ls 5"],
    { "ls 1": "make 1", "ls 2": "make 2", "ls 4": "make" },
    "guard",
    2,
  );
  assert.deepEqual(message, [
    "asked",
    "+make 1",
    "-make 1",
    "asked",
    "+make 2",
    "-make 2",
    "+ls 3",
    "-ls 3",
    "+make",
    "-make",
    "+ls 5",
    "-ls 5",
  ]);
});

test("unchanged calls run in parallel beside a guard that changes only others", async () => {
  const { told: message } = await run(["ls a", "ls b"], { "ls x": "rm x" }, "guard");
  assert.deepEqual(message, ["+ls a", "+ls b", "-ls a", "-ls b"]);
});

test("assesses a call that starts at once only once, and a call that waited again before it runs", async () => {
  const assessed: string[] = [];
  const tool = defineTool({
    name: "shell",
    toolset: "test",
    description: "Runs a command.",
    input: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
    assess: ({ command }) => (assessed.push(command), { effect: command.startsWith("ls") ? "read" : "write" }),
    execute: async ({ command }) => command,
  });
  const runs: readonly (readonly [readonly string[], readonly string[]])[] = [
    [["ls a"], ["ls a"]],
    [
      ["ls a", "ls b"],
      ["ls a", "ls b"],
    ],
    [
      ["ls a", "make", "ls b"],
      ["ls a", "make", "ls b", "make", "ls b"],
    ],
  ];
  for (const [commands, expected] of runs) {
    assessed.length = 0;
    const model = scriptedModel([
      { calls: commands.map((command) => ({ tool: "shell", args: { command } })) },
      { text: "Done." },
    ]);
    await using agent = await testSession({ model, tools: [tool] });
    await agent.session.send("go");
    assert.deepEqual(assessed, expected);
  }
});
