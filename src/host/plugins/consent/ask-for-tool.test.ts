import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer } from "../../../contract/conversation/question.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { quietLog } from "../../../testing/quiet-log.ts";
import type { SettingsEdit } from "../../config/settings-edit.ts";
import { askForTool, type AskPorts } from "./ask-for-tool.ts";

function ports(answers: readonly Answer[], whose?: string) {
  const edits: SettingsEdit[] = [];
  const asked: string[] = [];
  const waiting = [...answers];
  const one: AskPorts = {
    config: {
      get: (path) =>
        edits.flatMap((edit) => (edit.kind === "list" && edit.path === path ? (edit.add ?? []).map(String) : [])),
      edit: async (more) => void edits.push(...more),
    },
    clock: fakeClock(),
    log: quietLog(),
    show: (text) => text,
    place: {
      sessionId: "s1",
      prompter: {
        ask: async (question) => {
          asked.push(question.kind === "approval" ? "" : question.text);
          return waiting.shift() ?? { kind: "none", reason: "timeout" };
        },
      },
    },
    whose: async () => whose,
    signal: new AbortController().signal,
  };
  return { one, edits, asked };
}

const scan = { key: "scan", declared: [] };

// field: P01
test("a chat member who is not the owner is not asked, and the call is denied", async () => {
  const { one, asked, edits } = ports([{ kind: "text", text: "Always allow" }], "telegram:7");
  const denied = await askForTool(scan, "terminal", { command: "ls" }, one);
  assert.match(
    denied?.reason ?? "",
    /cannot be asked here\. To allow it, the user runs: hermes plugins grant scan terminal/,
  );
  assert.deepEqual([asked, edits], [[], []]);
});

// field: P01
test("calls at the same time ask once if the answer covers all calls, and each if it does not", async () => {
  const always = ports([{ kind: "text", text: "Always allow" }]);
  const both = [1, 2].map(() => askForTool(scan, "terminal", {}, always.one));
  assert.deepEqual(await Promise.all(both), [undefined, undefined]);
  assert.equal(always.asked.length, 1);
  const once = ports([{ kind: "text", text: "Allow once" }]);
  const [first, second] = await Promise.all([1, 2].map(() => askForTool(scan, "terminal", {}, once.one)));
  assert.equal(first, undefined);
  assert.match(second?.reason ?? "", /the user did not answer/);
});

// field: P01
test("the question shows hidden characters of the arguments and asks for each tool separately", async () => {
  const { one, asked } = ports([{ kind: "text", text: "Always allow" }]);
  assert.equal(await askForTool(scan, "read_file", { path: "a\u202Eb" }, one), undefined);
  assert.match((await askForTool(scan, "write_file", { path: "a" }, one))?.reason ?? "", /did not answer/);
  assert.deepEqual(
    asked.map((text) => text.split("\n").slice(0, 2)),
    [
      ['The plugin "scan" wants to call the tool "read_file":', "  a\\u{202e}b"],
      ['The plugin "scan" wants to call the tool "write_file":', "  a"],
    ],
  );
});
