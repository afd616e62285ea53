/**
 * An agent with one session that starts background commands and then waits to be killed. Arguments: home, directory,
 * then one command each, or a
 * call as JSON. It runs on this machine, or on the terminal backend that `AGENT_PLACE` gives: the section `terminal` of
 * its configuration, as JSON.
 */
import { LocalBackend } from "../../plugins/terminal-local/local-backend.ts";
import registerTerminal from "../../plugins/tool-terminal/index.ts";
import { openElsewhere, type Elsewhere } from "../../plugins/tool-terminal/testing/elsewhere.ts";
import type { AnyTool, JsonObject, PluginContext, TerminalBackend } from "../../src/plugin.ts";
import { quietLog, scriptedModel, testSession } from "../../src/testing/index.ts";

const [home = "", cwd = "", ...commands] = process.argv.slice(2);
const backend = await open(process.env["AGENT_PLACE"]);
const tools: AnyTool[] = [];
const nothing = { [Symbol.dispose]() {} };
const context = {
  log: quietLog(),
  home,
  signal: new AbortController().signal,
  setting: () => undefined,
  use: async () => backend,
  redact: (text: string) => text,
  command: () => nothing,
  cli: () => nothing,
  hook: () => nothing,
  onUnload: () => {},
  tool: (tool: AnyTool) => (tools.push(tool), nothing),
};
void registerTerminal(context as unknown as PluginContext);
const { session } = await testSession({ model: scriptedModel([]), tools, slots: { terminal: backend }, cwd });
for (const command of commands) {
  const call: JsonObject = command.startsWith("{")
    ? (JSON.parse(command) as JsonObject)
    : command.startsWith("foreground ")
      ? { command: command.slice(11) }
      : { command, background: true };
  const outcome = await session.call("terminal", call);
  process.stdout.write(`${JSON.stringify(outcome.kind === "ok" ? outcome.value : outcome)}\n`);
}
process.stdout.write("ready\n");
setInterval(() => {}, 1_000);

async function open(place: string | undefined): Promise<TerminalBackend> {
  if (place === undefined)
    return new LocalBackend({ auto_source_bashrc: false }, quietLog(), process.env, undefined, home);
  return openElsewhere(JSON.parse(place) as Elsewhere, home);
}
