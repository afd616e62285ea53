import assert from "node:assert/strict";
import { test } from "node:test";
import { manifest, setUp } from "../../host/plugins/plugins-fixture.ts";
import { enabled, pythonCode, pythonPlugin, answerOf, withPython } from "../test/hosts-fixture.ts";

const NODE = `import { defineTool, type Plugin } from "hermes-agent/plugin";
const register: Plugin = (ctx) => void ctx.tool(defineTool({ name: "here", toolset: "t", description: "d", effect: "none", input: { type: "object", properties: {} }, execute: async () => process.pid }));
export default register;
`;

/**
 * As a terminal and a supervisor do: every process of the group or the service gets the signal, plugin processes before
 * the agent notifies them.
 */
async function stays(t: Parameters<typeof setUp>[0], files: Parameters<typeof setUp>[1]): Promise<void> {
  const { host } = await setUp(t, files, enabled("stays")).start({}, { hosts: true });
  const pid = Number(await answerOf(host, "here"));
  assert.notEqual(pid, process.pid);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.kill(pid, signal);
  await new Promise((done) => setTimeout(done, 300));
  assert.equal(Number(await answerOf(host, "here")), pid);
}

test("a signal for the agent does not end a Node process of plugins", async (t) => {
  await stays(t, { "home/plugins/stays/plugin.yaml": manifest("stays"), "home/plugins/stays/index.ts": NODE });
});

test("a signal for the agent does not end a Python process of plugins", withPython, async (t) => {
  await stays(
    t,
    pythonPlugin(
      "stays",
      pythonCode(
        "def register(ctx):\n    ctx.register_tool(name='here', schema={'description': 'd', 'parameters': {'type': 'object', 'properties': {}}}, handler=lambda args, **k: str(os.getpid()))",
      ),
    ),
  );
});
