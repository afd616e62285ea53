import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { INJECTION_LIMITS, injectedContext } from "../../src/engine/transcript/injected-context.ts";
import {
  enabled,
  pythonCode,
  pythonPlugin,
  answerOf,
  toolCall,
  withPython,
} from "../../src/plugin-runtimes/test/hosts-fixture.ts";
import { manifest, setUp, type Files } from "../../src/host/plugins/plugins-fixture.ts";

const MEGABYTES = 10;

/**
 * Tools and hooks that throw or return invalid results, beside `fine`, which works. Then a plugin whose register
 * throws, and a working one.
 */
const NODE: Files = {
  "home/plugins/odd/plugin.yaml": manifest("odd"),
  "home/plugins/odd/index.mjs": `export default (ctx) => {
  const tool = (name, execute) => ctx.tool({ name, toolset: "t", description: "d", effect: "none", input: { type: "object", properties: {} }, execute });
  tool("fine", async () => "fine");
  tool("throws", async () => { throw new TypeError("no such luck"); });
  tool("nothing", async () => undefined);
  for (const answer of [7, "block", [1], { action: "blok", message: "x" }, { action: "block" }]) ctx.hook("pre_tool_call", ({ tool_name }) => tool_name === "fine" ? answer : undefined);
  ctx.hook("pre_tool_call", ({ tool_name }) => { if (tool_name === "guarded") throw new Error("guard is ill"); });
  for (const answer of [5, [1, 2], { context: 7 }, "x".repeat(${MEGABYTES} << 20), "It rains."]) ctx.hook("pre_llm_call", () => answer);
  ctx.hook("pre_llm_call", () => { throw new Error("no idea"); });
};
`,
};
const PYTHON = pythonPlugin(
  "odd",
  pythonCode(
    "def fine(args, **k):\n    return json.dumps('fine')",
    "def throws(args, **k):\n    raise TypeError('no such luck')",
    "def nothing(args, **k):\n    return None",
    "def ill(tool_name, **k):\n    if tool_name == 'guarded':\n        raise RuntimeError('guard is ill')",
    "def raises(**k):\n    raise RuntimeError('no idea')",
    `def register(ctx):
    for tool in (fine, throws, nothing):
        ctx.register_tool(name=tool.__name__, toolset="t", schema={"description": "d", "parameters": {"type": "object", "properties": {}}}, handler=tool)
    for answer in (7, "block", [1], {"action": "blok", "message": "x"}, {"action": "block"}):
        ctx.register_hook("pre_tool_call", lambda tool_name, answer=answer, **k: answer if tool_name == "fine" else None)
    ctx.register_hook("pre_tool_call", ill)
    for answer in (5, [1, 2], {"context": 7}, "x" * (${MEGABYTES} << 20), "It rains."):
        ctx.register_hook("pre_llm_call", lambda answer=answer, **k: answer)
    ctx.register_hook("pre_llm_call", raises)`,
  ),
);

for (const [where, files, apart, options] of [
  ["inside the agent", NODE, false, {}],
  ["in another Node process", NODE, true, {}],
  ["in a Python process", PYTHON, true, withPython],
] as const) {
  // rows 44 and 46 of the fault matrix
  // req: hooks.crash-isolated
  test(
    `a throwing plugin ${where} fails only that call; invalid or oversized hook results are logged and ignored`,
    options,
    async (t: TestContext) => {
      const { host, log } = await setUp(t, files, enabled("odd")).start({}, apart ? { hosts: true } : {});
      await assert.doesNotReject(answerOf(host, "fine"));
      assert.match(await answerOf(host, "throws").catch((error: Error) => error.message), /no such luck/);
      assert.doesNotMatch(await answerOf(host, "nothing").catch((error: Error) => error.message), /fine/);

      assert.deepEqual(await host.hooks.first("pre_tool_call", toolCall("fine")), { kind: "none" });
      const guarded = await host.hooks.first("pre_tool_call", toolCall("guarded"));
      assert.deepEqual([guarded.kind, guarded.kind === "broken" && guarded.owner], ["broken", "odd"]);
      assert.equal(
        log.lines.filter(({ message }) =>
          /"pre_tool_call" of "odd" answered .*, which this hook does not understand; it is ignored/.test(message),
        ).length,
        5,
      );

      const turn = {
        session_id: "s",
        task_id: "s",
        turn_id: "t",
        model: "m",
        platform: "cli",
        user_message: "hello",
        conversation_history: [],
        is_first_turn: true,
      };
      const pieces = (await host.hooks.collect("pre_llm_call", turn)).map(({ piece }) => piece);
      const text = (await injectedContext(pieces, INJECTION_LIMITS, () => Promise.reject(new Error("no space left"))))!;
      assert.match(text, /^x{10000}\n\[10475760 more characters were left out\]\n\nIt rains\.$/);
      assert.ok(log.lines.some(({ message }) => /"pre_llm_call" of "odd".*no idea/.test(message)));
      assert.match(await answerOf(host, "fine"), /fine/);
    },
  );
}
