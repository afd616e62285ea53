import { createHash } from "node:crypto";
import {
  untrustedSource,
  judgeCommand,
  pythonCommand,
  riskOfCommand,
  type Assessment,
  type CommandJudgement,
  type PluginContext,
  type Risk,
  type RiskContext,
} from "hermes-agent/plugin";
import { whereLine } from "hermes-agent/terminal";
import { settingsOf } from "./settings.ts";

/**
 * Assesses the script's own effects like a shell command that runs python3. Its tool calls, and the content that they
 * return, are assessed when it makes them.
 */
export async function assessCode(
  code: string,
  call: RiskContext,
  ctx: Pick<PluginContext, "use" | "signal">,
): Promise<Assessment> {
  const cwd = await directoryOf(call, ctx);
  const judged = await judgeCommand(pythonCommand(code), { cwd, home: call.home, agentHome: call.agentHome });
  return {
    effect: "execute",
    risk: await riskOf(judged, cwd, call, ctx),
    untrusted: untrustedSource(judged, call) ?? false,
  };
}

async function riskOf(
  judged: CommandJudgement,
  cwd: string,
  call: RiskContext,
  ctx: Pick<PluginContext, "use">,
): Promise<Risk | undefined> {
  const risk = riskOfCommand(judged);
  if (risk === undefined || risk.answer === "block") return risk;
  const backend = await ctx.use("terminal");
  const where = whereLine(backend, await backend.sandbox?.());
  // The next script with such an effect is another script, so no lasting approval is offered.
  const { rule: _, ...rest } = risk;
  const bound = createHash("sha256")
    .update(JSON.stringify([backend.id, where, cwd, settingsOf((path) => call.config(path)).mode]))
    .digest("hex");
  return { ...rest, commands: judged.lines, where, bound };
}

/** The base of relative paths in the script. Does not start a remote environment just to find out. */
async function directoryOf(call: RiskContext, ctx: Pick<PluginContext, "use" | "signal">): Promise<string> {
  const backend = await ctx.use("terminal");
  if (backend.isolated || backend.elsewhere === true) return call.cwd;
  return (await backend.open({ key: call.taskId, cwd: call.cwd }, ctx.signal)).cwd;
}
