import { judgeCommand, riskOfCommand, type CommandJudgement, type Risk, type RiskContext } from "hermes-agent/plugin";

const RETAINED = 64;
const judged = new Map<string, Promise<CommandJudgement>>();

/** What a command would do there. Asked several times for each call (may it run beside others, is it a risk), worked out once. */
export function judge(
  command: string,
  cwd: string,
  call: Pick<RiskContext, "home" | "agentHome">,
): Promise<CommandJudgement> {
  const key = JSON.stringify([command, cwd, call.home, call.agentHome]);
  const known = judged.get(key);
  if (known !== undefined) return known;
  const judging = judgeCommand(command, { cwd, home: call.home, agentHome: call.agentHome });
  judged.set(key, judging);
  judging.catch(() => judged.delete(key));
  if (judged.size > RETAINED) judged.delete(judged.keys().next().value!);
  return judging;
}

export async function judgedRisk(command: string, cwd: string, call: RiskContext): Promise<Risk | undefined> {
  return riskOfCommand(await judge(command, cwd, call));
}
