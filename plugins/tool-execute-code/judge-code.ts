import { createHash } from "node:crypto";
import {
  untrustedSource,
  judgeCommand,
  pythonCommand,
  riskOfCommand,
  type CommandJudgement,
  type UntrustedSource,
  type PluginContext,
  type Risk,
  type RiskContext,
} from "hermes-agent/plugin";
import { whereLine } from "hermes-agent/terminal";
import { settingsOf } from "./settings.ts";

/** What the script does by itself is judged as if its text were given to python3 in a shell. What it calls is judged when it calls. */
export async function codeRisk(
  code: string,
  call: RiskContext,
  ctx: Pick<PluginContext, "use" | "signal">,
): Promise<Risk | undefined> {
  const { judged, cwd } = await judge(code, call, ctx);
  const risk = riskOfCommand(judged);
  if (risk === undefined || risk.answer === "block") return risk;
  const backend = await ctx.use("terminal");
  const where = whereLine(backend, await backend.sandbox?.());
  // The next script with such an effect is another script: nothing that lasts is offered.
  const { rule: _, ...rest } = risk;
  const bound = createHash("sha256")
    .update(JSON.stringify([backend.id, where, cwd, settingsOf((path) => call.config(path)).mode]))
    .digest("hex");
  return { ...rest, commands: judged.lines, where, bound };
}

/** Whose words it prints, as far as its text shows; those of the tools it calls are known when it has called them. */
export async function codeWords(
  code: string,
  call: RiskContext,
  ctx: Pick<PluginContext, "use" | "signal">,
): Promise<UntrustedSource | undefined> {
  return untrustedSource((await judge(code, call, ctx)).judged, call);
}

async function judge(
  code: string,
  call: RiskContext,
  ctx: Pick<PluginContext, "use" | "signal">,
): Promise<{ readonly judged: CommandJudgement; readonly cwd: string }> {
  const cwd = await directoryOf(call, ctx);
  return { cwd, judged: await judgeCommand(pythonCommand(code), { cwd, home: call.home, agentHome: call.agentHome }) };
}

/** Where relative paths of the script begin. A place that is not this machine is not started for the question. */
async function directoryOf(call: RiskContext, ctx: Pick<PluginContext, "use" | "signal">): Promise<string> {
  const backend = await ctx.use("terminal");
  if (backend.isolated || backend.elsewhere === true) return call.cwd;
  return (await backend.open({ key: call.taskId, cwd: call.cwd }, ctx.signal)).cwd;
}
