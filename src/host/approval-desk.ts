import type { ApprovalAnswer, ApprovalDesk, ApprovalExplanation, PolicyChange, WhatIf, WhatIfRow } from "../contract/app.ts";
import type { SessionDesk } from "../contract/app.ts";
import type { Risk } from "../contract/approval.ts";
import { UserError } from "../contract/failure.ts";
import type { Json } from "../contract/json.ts";
import type { AnyTool, RiskContext } from "../contract/tool.ts";
import { decidedByMode, modeOf } from "../engine/approval-mode.ts";
import { judgeCommand, riskOfCommand, type CommandContext, type CommandJudgement } from "../safety/command.ts";
import { describeEffects } from "../safety/command.ts";
import { decodedPayloads } from "../safety/decoded.ts";
import { denyingRule } from "../safety/deny-rules.ts";
import { ruleCovers, rulesCover } from "../safety/rules.ts";
import { modelMayDecide } from "../safety/smart-limit.ts";
import { makeVisible } from "../safety/visible.ts";
import { RULE_LISTS, type ApprovalRules } from "./approval-rules.ts";

export interface ApprovalDeskPorts {
  readonly rules: ApprovalRules;
  readonly config: { get(path: string): Json | undefined; changeList(path: string, change: { readonly remove: readonly string[] }): Promise<void> };
  readonly sessions: SessionDesk;
  readonly home: string;
  readonly agentHome: string;
  redact(text: string): string;
  /** The tool that runs commands: it knows where they would run and what a delete would take. */
  commandTool(): Promise<AnyTool | undefined>;
}

/** The policy that an answer is worked out under. */
interface Policy {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly config: (path: string) => Json | undefined;
  readonly surface: string;
}

export function openApprovalDesk(ports: ApprovalDeskPorts): ApprovalDesk {
  const places = (cwd: string): CommandContext => ({ cwd, home: ports.home, agentHome: ports.agentHome });
  const present = (surface: string): Policy => ({ allow: ports.rules.allowing(), deny: ports.rules.entries("deny").map(({ rule }) => rule), config: (path) => ports.config.get(path), surface });
  return {
    rules: async () => ports.rules.list(),

    async revoke(rule) {
      const lists = (["allow", "deny"] as const).filter((list) => ports.rules.entries(list).some((entry) => entry.rule === rule));
      if (lists.length === 0) throw new UserError(`There is no rule "${rule}".`, { hint: "hermes approvals list shows them all.", exitCode: 2 });
      for (const list of lists) await ports.config.changeList(RULE_LISTS[list], { remove: [rule] });
      if (lists.some((list) => ports.rules.entries(list).some((entry) => entry.rule === rule))) throw new UserError(`The rule "${rule}" is not in config.yaml and stays.`, { hint: `hermes config explain ${RULE_LISTS[lists[0]!]} tells where it comes from.` });
    },

    async explain(command, { cwd, surface = "cli" }): Promise<ApprovalExplanation> {
      const judged = await judgeCommand(command, places(cwd));
      const policy = present(surface);
      const answer = await answerTo(command, judged, policy, places(cwd));
      const looked = await look(ports, command, cwd);
      const shown = (text: string): string => makeVisible(ports.redact(text));
      return {
        command: shown(command),
        cwd,
        ...answer,
        key: judged.key,
        reasons: judged.reasons.map(shown),
        effects: describeEffects(judged.effects).map(shown),
        commands: judged.lines.map(shown),
        decoded: decodedPayloads(command).map(shown),
        counts: looked.counts.map(shown),
        ...(looked.where === undefined ? {} : { where: looked.where }),
        ...(judged.rule === undefined ? {} : { rule: judged.rule }),
        passes: waysToPass(answer, judged, policy, cwd),
      };
    },

    async answer(command, { cwd, surface = "cli" }) {
      return (await answerTo(command, await judgeCommand(command, places(cwd)), present(surface), places(cwd))).answer;
    },

    async whatIf(change, { sessions }): Promise<WhatIf> {
      const rows = new Map<string, WhatIfRow & { times: number }>();
      let commands = 0;
      for (const session of await ports.sessions.list({ limit: sessions })) {
        const before = present(session.surface);
        const after = changed(before, change);
        for await (const { fact } of ports.sessions.facts(session.id)) {
          const command = fact.type === "tool.called" && typeof fact.args?.["command"] === "string" ? fact.args["command"] : undefined;
          if (command === undefined) continue;
          commands++;
          const judged = await judgeCommand(command, places(session.cwd));
          const [old, next] = await Promise.all([answerTo(command, judged, before, places(session.cwd)), answerTo(command, judged, after, places(session.cwd))]);
          if (old.answer === next.answer) continue;
          const key = JSON.stringify([command, old.answer, next.answer]);
          const row = rows.get(key);
          if (row === undefined) rows.set(key, { command: makeVisible(ports.redact(command)), sessionId: session.id, before: old, after: next, times: 1 });
          else row.times++;
        }
      }
      return { commands, changed: [...rows.values()] };
    },
  };
}

/** The chain that a call goes through, without the session's grants and without a person: who would answer, and what. */
async function answerTo(command: string, judged: CommandJudgement, policy: Policy, places: CommandContext): Promise<ApprovalAnswer> {
  if (judged.answer === "block") return { answer: "refused", by: "the hard floor" };
  const denying = await denyingRule(policy.deny, { command }, places);
  if (denying !== undefined) return { answer: "refused", by: `approvals.deny: ${denying}` };
  const risk = riskOfCommand(judged);
  if (risk === undefined) return { answer: "runs", by: "nothing in it needs an approval" };
  const mode = modeOf(policy.config, policy.surface, false);
  const decided = decidedByMode(mode, risk);
  if (decided?.kind === "allow") return { answer: "runs", by: decided.by };
  if (rulesCover(policy.allow, risk, command)) return { answer: "runs", by: `command_allowlist: ${policy.allow.find((rule) => ruleCovers(rule, risk, command)) ?? "a rule for each class"}` };
  if (mode.mode === "deny") return { answer: "refused", by: mode.by };
  if (mode.mode === "smart" && modelMayDecide(withCommands(risk, judged), places.cwd)) return { answer: "asks", by: "the model of auxiliary.approval, then the person" };
  return { answer: "asks", by: "the person; where nobody can be asked it is refused" };
}

function withCommands(risk: Risk, judged: CommandJudgement): Risk {
  return { ...risk, commands: judged.lines };
}

function changed(policy: Policy, { mode, allow = [], deny = [], without = [] }: PolicyChange): Policy {
  const kept = (rules: readonly string[]): readonly string[] => rules.filter((rule) => !without.includes(rule));
  return {
    ...policy,
    allow: [...kept(policy.allow), ...allow],
    deny: [...kept(policy.deny), ...deny],
    config: mode === undefined ? policy.config : (path) => (path === "approvals.mode" ? mode : path === "approvals.platforms" ? undefined : policy.config(path)),
  };
}

function waysToPass({ answer, by }: ApprovalAnswer, judged: CommandJudgement, policy: Policy, cwd: string): readonly string[] {
  if (answer === "runs") return [];
  if (judged.answer === "block") return ["Nothing. You can run it yourself, outside the agent."];
  if (by.startsWith("approvals.deny")) return [`Taking the rule out: hermes approvals revoke ${quoted(by.slice("approvals.deny: ".length))}`];
  const risk = riskOfCommand(judged);
  const rule = judged.rule === undefined ? [] : [`A rule in command_allowlist: ${judged.rule}`];
  const model = risk !== undefined && modelMayDecide(withCommands(risk, judged), cwd) ? ["approvals.mode: smart, if the model finds it harmless"] : [];
  const person = by.startsWith("the") ? ["A person's yes, for this one call or for the session"] : [];
  const off = modeOf(policy.config, policy.surface, false).mode === "off" ? [] : ["--yolo, which asks about nothing"];
  return [...person, ...(rule.length > 0 ? rule : ["No rule: it would allow more than anybody saw"]), ...model, ...off];
}

async function look(ports: ApprovalDeskPorts, command: string, cwd: string): Promise<{ readonly where?: string; readonly counts: readonly string[] }> {
  const tool = await ports.commandTool();
  const context: RiskContext = { cwd, home: ports.home, agentHome: ports.agentHome, sessionId: "explain", taskId: "explain", config: (path) => ports.config.get(path) };
  const risk = await tool?.risk?.({ command } as never, context);
  const counts = risk === undefined || risk.answer === "block" || tool?.survey === undefined ? [] : await tool.survey({ command } as never, context, AbortSignal.timeout(1_000));
  return { counts, ...(risk?.where === undefined ? {} : { where: risk.where }) };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
