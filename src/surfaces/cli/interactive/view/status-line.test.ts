import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../../../contract/conversation/fact.ts";
import type { Session } from "../../../../contract/conversation/session.ts";
import { STATUS_FIELDS, type Display } from "../../../shared/display/display.ts";
import { width } from "../../../shared/display/width.ts";
import type { Io } from "../../../shared/process/io.ts";
import { StatusLine, type StatusPorts } from "./status-line.ts";
import { themeOf } from "./theme.ts";

const theme = themeOf({
  style: (style: string, text: string) => (style === "red" ? `<${text}>` : text),
} as unknown as Io);
const USAGE = {
  inputTokens: 40_000,
  outputTokens: 10_000,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

async function open(ports: Partial<StatusPorts> = {}, cost = false) {
  const line = new StatusLine(
    theme,
    {
      keys: () => [],
      approvalsOff: () => false,
      mode: async () => "smart approvals, sandbox",
      question: () => "",
      contextTokens: async () => 200_000,
      costOf: async () => "$0.12",
      redraw: () => {},
      ...ports,
    },
    () => ({ statusLine: STATUS_FIELDS, cost }) as unknown as Display,
  );
  const view = { title: "a talk", model: "big-model", turns: 1 };
  line.open({ id: "s1", cwd: "/nowhere/project", view: () => view } as unknown as Session, "big-model");
  const shown = async (columns = 200): Promise<string> => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    const lines = line.render(columns);
    assert.equal(lines.length, 1);
    return lines[0]!.trim();
  };
  const fact = (...facts: readonly object[]): void => facts.forEach((each) => line.onFact(each as Fact));
  return { shown, fact };
}

test("shows the share of the last request, the cost, the mode, the folder and the session", async () => {
  const { shown, fact } = await open();
  fact({ type: "model.asked", model: "big-model" }, { type: "model.answered", usage: USAGE });
  assert.equal(
    await shown(),
    "big-model · 25 % of context · $0.12 · smart approvals, sandbox · /nowhere/project · a talk",
  );
  fact({ type: "model.answered", usage: { ...USAGE, inputTokens: 10_000 } });
  assert.match(await shown(), /10 % of context/, "not a sum");
});

test("shows what the session waits for, from the request to the end of the turn", async () => {
  let question = "";
  const { shown, fact } = await open({ question: () => question });
  fact({ type: "model.asked", model: "big-model" });
  assert.match(await shown(), /^waits for the model · /);
  fact(
    { type: "model.answered", usage: USAGE },
    { type: "tool.called", callId: "1", tool: "terminal" },
    { type: "tool.called", callId: "2", tool: "read_file" },
  );
  question = "your approval";
  assert.match(await shown(), /^waits for your approval · /);
  question = "";
  fact({ type: "tool.started", callId: "1" }, { type: "tool.started", callId: "2" });
  assert.match(await shown(), /^runs terminal and 1 more · /);
  fact({ type: "tool.settled", callId: "1" });
  assert.match(await shown(), /^runs read_file · /);
  fact({ type: "turn.ended", reason: "done" });
  assert.match(await shown(), /^big-model · /);
});

test("approvals that are off are red and come first, also in 40 columns, which stay one line", async () => {
  const { shown, fact } = await open({ approvalsOff: () => true });
  fact({ type: "model.asked", model: "big-model" });
  assert.match(await shown(), /^<approvals off> · waits for the model · /);
  for (const columns of [20, 40, 80]) {
    const line = await shown(columns);
    assert.ok(width(line.replaceAll(/[<>]/g, "")) <= columns - 2, line);
    assert.match(line, /^<approvals off>/);
  }
});

test("an unknown cost is shown only to users who asked for costs", async () => {
  assert.doesNotMatch(await (await open({ costOf: async () => "$?" })).shown(), /\$/);
  assert.match(await (await open({ costOf: async () => "$?" }, true)).shown(), /\$\?/);
});
