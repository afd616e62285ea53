import { assess } from "./assess.ts";
import { prepare, riskContext } from "../dispatch/call.ts";
import { toolFinder } from "../dispatch/find-tool.ts";
import type { CallRequest, CallSession, DispatchPorts, JudgeEffect } from "../ports.ts";
import { isQuiet } from "./quiet.ts";

/**
 * A call may run in parallel if it changes nothing (or its tool declares so), needs no user and carries no risk. If
 * unsure, it runs alone.
 */
export function createJudgeEffect(ports: DispatchPorts): JudgeEffect {
  const find = toolFinder(ports.tools);

  async function judged(request: CallRequest, session: CallSession): ReturnType<JudgeEffect> {
    const entry = find(request.tool, request.by === "model" ? session.offered : undefined);
    // Nothing is run for a tool that is not there.
    if (entry === undefined) return { parallel: true };
    const { declaration } = entry.value;
    const may = declaration.parallel === true;
    if (declaration.interactive || (!may && !declaration.effectByCall && !isQuiet(declaration.effect)))
      return { parallel: false };
    const tool = await entry.value.load();
    const prepared = await prepare(request.args, entry.value, tool);
    if (!prepared.ok) return { parallel: true };
    const untrusted = session.untrusted !== undefined;
    const assessment = await assess(tool, prepared.input, riskContext(ports, session), { log: ports.log, untrusted });
    const { effect, risk } = assessment;
    return {
      parallel: (may || isQuiet(effect)) && risk === undefined,
      planned: { tool, assessment, untrusted },
    };
  }

  return async (request, session) => {
    try {
      return await judged(request, session);
    } catch {
      return { parallel: false }; // Dispatch meets the same failure and reports it.
    }
  };
}
