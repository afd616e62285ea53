import type {
  ApprovalAnswer,
  ApprovalService,
  ApprovalExplanation,
  PolicyChange,
  WhatIf,
  WhatIfRow,
} from "../../contract/services/approval-service.ts";
import type { SessionService } from "../../contract/services/session-service.ts";
import type { Risk } from "../../contract/tools/approval.ts";
import type { Assessment } from "../../contract/tools/assessment.ts";
import { UserError } from "../../contract/common/failure.ts";
import type { Json } from "../../contract/common/json.ts";
import { quoted } from "../../contract/common/quoted.ts";
import type { SandboxState } from "../../contract/providers/terminal.ts";
import type { AnyTool, RiskContext } from "../../contract/tools/tool.ts";
import { assess } from "../../engine/approval/assess.ts";
import { classesOf, mayBeRemembered } from "../../engine/approval/approvers.ts";
import { decidedByMode, modeOf } from "../../engine/approval/approval-mode.ts";
import {
  judgeCommand,
  riskOfCommand,
  type CommandContext,
  type CommandJudgement,
} from "../../safety/commands/command.ts";
import { describeEffects } from "../../safety/commands/command.ts";
import { decodedPayloads } from "../../safety/text/decoded.ts";
import { denyingRule } from "../../safety/commands/deny-rules.ts";
import { ruleCovers, rulesCover } from "../../safety/commands/rules.ts";
import { modelMayDecide } from "../../safety/commands/smart-limit.ts";
import { makeVisible } from "../../safety/text/visible.ts";
import { RULE_LISTS, type ApprovalRules } from "./approval-rules.ts";

export interface ApprovalServicePorts {
  readonly rules: ApprovalRules;
  readonly config: {
    get(path: string): Json | undefined;
    changeList(path: string, change: { readonly remove: readonly string[] }): Promise<void>;
  };
  readonly sessions: SessionService;
  readonly home: string;
  readonly agentHome: string;
  redact(text: string): string;
  /** The tool that runs commands: it knows where they would run and what a delete would take. */
  commandTool(): Promise<AnyTool | undefined>;
  /** Around those commands; `undefined` where the place itself is apart from this machine. */
  sandbox(): Promise<SandboxState | undefined>;
}

/** The policy that an answer is worked out under. */
interface Policy {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly config: (path: string) => Json | undefined;
  readonly surface: string;
}

/** Arguments of the command tool. */
interface CommandInput {
  readonly command: string;
  /** The command would run outside the sandbox. */
  readonly outside?: true;
}

/** A command's effects, and those that still need an approval in its backend. */
interface Judged {
  readonly judged: CommandJudgement;
  readonly risk: Risk | undefined;
}

/** Rules, and the answers that they give beforehand. Pending questions are another part. */
export type RuleService = Omit<ApprovalService, "pending" | "decide" | "watch">;

export function openApprovalService(ports: ApprovalServicePorts): RuleService {
  const places = (cwd: string): CommandContext => ({ cwd, home: ports.home, agentHome: ports.agentHome });
  /** In a sandbox the tool knows more than the text shows: what the kernel prevents needs no approval. */
  const judge = async (input: CommandInput, cwd: string, sandbox: SandboxState | undefined): Promise<Judged> => {
    const judged = await judgeCommand(input.command, places(cwd));
    const asked = judged.answer === "ask" || (judged.answer === "allow" && input.outside === true);
    const tool = asked && sandbox?.kind === "on" ? await ports.commandTool() : undefined;
    return {
      judged,
      risk:
        tool === undefined || (tool.assess ?? tool.risk) === undefined
          ? riskOfCommand(judged)
          : (await assessCommand(ports, tool, input, cwd)).risk,
    };
  };
  const present = (surface: string): Policy => ({
    allow: ports.rules.allowing(),
    deny: ports.rules.entries("deny").map(({ rule }) => rule),
    config: (path) => ports.config.get(path),
    surface,
  });
  return {
    rules: async () => ports.rules.list(),

    async revoke(rule) {
      const lists = (["allow", "deny"] as const).filter((list) =>
        ports.rules.entries(list).some((entry) => entry.rule === rule),
      );
      if (lists.length === 0)
        throw new UserError(`There is no rule "${rule}".`, {
          hint: "hermes approvals list shows all rules.",
          exitCode: 2,
        });
      for (const list of lists) await ports.config.changeList(RULE_LISTS[list], { remove: [rule] });
      if (lists.some((list) => ports.rules.entries(list).some((entry) => entry.rule === rule)))
        throw new UserError(`The rule "${rule}" is not in config.yaml, so it was not removed.`, {
          hint: `hermes config explain ${RULE_LISTS[lists[0]!]} shows where it is defined.`,
        });
    },

    sandbox: () => ports.sandbox(),

    async explain(command, { cwd, surface = "cli" }): Promise<ApprovalExplanation> {
      const sandbox = await ports.sandbox();
      const found = await judge({ command }, cwd, sandbox);
      const { judged } = found;
      const policy = present(surface);
      const answer = await answerTo(command, found, policy, places(cwd));
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
        where: looked.where,
        rule: judged.rule,
        sandbox: sandbox?.kind === "on" && judged.answer !== "block" ? inSandbox(found).map(shown) : undefined,
        passes: waysToPass(answer, found, policy, cwd),
      };
    },

    async answer(command, { cwd, surface = "cli" }) {
      return (
        await answerTo(command, await judge({ command }, cwd, await ports.sandbox()), present(surface), places(cwd))
      ).answer;
    },

    async whatIf(change, { sessions }): Promise<WhatIf> {
      const rows = new Map<string, WhatIfRow & { times: number }>();
      let commands = 0;
      const sandbox = await ports.sandbox();
      for (const session of await ports.sessions.list({ limit: sessions })) {
        const before = present(session.surface);
        const after = changed(before, change);
        for await (const { fact } of ports.sessions.facts(session.id)) {
          const command =
            fact.type === "tool.called" && typeof fact.args?.["command"] === "string"
              ? fact.args["command"]
              : undefined;
          if (command === undefined) continue;
          commands++;
          const found = await judge(
            { command, outside: fact.type === "tool.called" && fact.args?.["outside"] === true ? true : undefined },
            session.cwd,
            sandbox,
          );
          const [old, next] = await Promise.all([
            answerTo(command, found, before, places(session.cwd)),
            answerTo(command, found, after, places(session.cwd)),
          ]);
          if (old.answer === next.answer) continue;
          const key = JSON.stringify([command, old.answer, next.answer]);
          const row = rows.get(key);
          if (row === undefined)
            rows.set(key, {
              command: makeVisible(ports.redact(command)),
              sessionId: session.id,
              before: old,
              after: next,
              times: 1,
            });
          else row.times++;
        }
      }
      return { commands, changed: [...rows.values()] };
    },
  };
}

/**
 * The approval chain for a command, without session grants and without a user: the deciding approver and its answer.
 */
async function answerTo(
  command: string,
  { judged, risk }: Judged,
  policy: Policy,
  places: CommandContext,
): Promise<ApprovalAnswer> {
  if (judged.answer === "block") return { answer: "refused", by: "the hard block" };
  const denying = await denyingRule(policy.deny, { command }, places);
  if (denying !== undefined) return { answer: "refused", by: `approvals.deny: ${denying}` };
  if (risk === undefined)
    return {
      answer: "runs",
      by: judged.answer === "ask" ? "the sandbox, which prevents what would need an approval" : "no approval needed",
    };
  const mode = modeOf(policy.config, policy.surface, false);
  const decided = decidedByMode(mode, risk);
  if (decided?.kind === "allow") return { answer: "runs", by: decided.by };
  if (risk.fresh !== true && rulesCover(policy.allow, risk, command))
    return {
      answer: "runs",
      by: `command_allowlist: ${policy.allow.find((rule) => ruleCovers(rule, risk, command)) ?? "one rule for each class"}`,
    };
  if (mode.mode === "deny") return { answer: "refused", by: mode.by };
  if (mode.mode === "smart" && risk.fresh !== true && modelMayDecide(withCommands(risk, judged), places.cwd))
    return { answer: "asks", by: "the model of auxiliary.approval, then the user" };
  return { answer: "asks", by: "the user; refused if no one can be asked" };
}

function withCommands(risk: Risk, judged: CommandJudgement): Risk {
  return { ...risk, commands: judged.lines };
}

function changed(policy: Policy, { mode, allow = [], deny = [], without = [] }: PolicyChange): Policy {
  const saved = (rules: readonly string[]): readonly string[] => rules.filter((rule) => !without.includes(rule));
  return {
    ...policy,
    allow: [...saved(policy.allow), ...allow],
    deny: [...saved(policy.deny), ...deny],
    config:
      mode === undefined
        ? policy.config
        : (path) =>
            path === "approvals.mode" ? mode : path === "approvals.platforms" ? undefined : policy.config(path),
  };
}

/** The approvals that the sandbox makes unnecessary, and what leaving it requires. */
function inSandbox({ judged, risk }: Judged): readonly string[] {
  const held =
    judged.answer === "ask" ? judged.reasons.filter((reason) => risk?.reasons.includes(reason) !== true) : [];
  return [
    ...held.map((reason) => `No approval needed, because the sandbox prevents it: ${reason}`),
    ...(risk === undefined
      ? []
      : ["The rest needs an approval: it can happen in the sandbox, too, or the sandbox cannot prevent it."]),
    "Leaving the sandbox (outside=true) needs an approval each time.",
  ];
}

function waysToPass(
  { answer, by }: ApprovalAnswer,
  { judged, risk }: Judged,
  policy: Policy,
  cwd: string,
): readonly string[] {
  if (answer === "runs") return [];
  if (judged.answer === "block") return ["No setting. You can run it yourself, outside the agent."];
  if (by.startsWith("approvals.deny"))
    return [`Remove the rule: hermes approvals revoke ${quoted(by.slice("approvals.deny: ".length))}`];
  const rule = judged.rule === undefined ? [] : [`A rule in command_allowlist: ${judged.rule}`];
  const model =
    risk !== undefined && modelMayDecide(withCommands(risk, judged), cwd)
      ? ["approvals.mode: smart, if the model considers it harmless"]
      : [];
  const saved = risk === undefined || classesOf(risk).every(mayBeRemembered);
  const prompter = by.startsWith("the")
    ? [saved ? "The user's approval, for this call or for the session" : "The user's approval, for this call only"]
    : [];
  const off = modeOf(policy.config, policy.surface, false).mode === "off" ? [] : ["--yolo, which approves everything"];
  return [...prompter, ...(rule.length > 0 ? rule : ["No rule: it would allow more than was shown"]), ...model, ...off];
}

async function look(
  ports: ApprovalServicePorts,
  command: string,
  cwd: string,
): Promise<{ readonly where?: string; readonly counts: readonly string[] }> {
  const tool = await ports.commandTool();
  if (tool === undefined) return { counts: [] };
  const assessment = await assessCommand(ports, tool, { command }, cwd);
  const { risk } = assessment;
  const counts =
    risk === undefined || risk.answer === "block"
      ? []
      : ((await assessment.survey?.(AbortSignal.timeout(1_000))) ?? []);
  return { counts, where: risk?.where };
}

async function assessCommand(
  ports: ApprovalServicePorts,
  tool: AnyTool,
  input: CommandInput,
  cwd: string,
): Promise<Assessment> {
  return assess(tool, input, contextOf(ports, cwd), { untrusted: false });
}

/** A task for each folder: its terminal starts there, and its sandbox is around it. */
function contextOf({ home, agentHome, config }: ApprovalServicePorts, cwd: string): RiskContext {
  return { cwd, home, agentHome, sessionId: "explain", taskId: `explain ${cwd}`, config: (path) => config.get(path) };
}
