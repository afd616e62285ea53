import type { Approver } from "../../contract/tools/approval.ts";
import type { ApprovalService } from "../../contract/services/approval-service.ts";
import type { Json } from "../../contract/common/json.ts";
import type { Notice } from "../../contract/common/notice.ts";
import type { SessionService } from "../../contract/services/session-service.ts";
import type { SandboxState } from "../../contract/providers/terminal.ts";
import type { AnyTool } from "../../contract/tools/tool.ts";
import { allowlistApprover } from "../../engine/approval/approvers.ts";
import type { ApprovalChain } from "../../engine/ports.ts";
import { ApprovalRules, RULE_LISTS } from "./approval-rules.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Prompter } from "../../contract/conversation/question.ts";
import { isScheduled } from "../../contract/conversation/surfaces.ts";
import { lazily } from "../app/lazily.ts";
import type { RuleService } from "./approval-service.ts";
import type { Config } from "../config/open-config.ts";
import type { ConnectingModelService } from "../models/model-service.ts";
import type { SqliteStore } from "../store/facts/sqlite-store.ts";
import { systemClock } from "../app/system-clock.ts";
import { watchPending } from "./watch-pending.ts";

export interface ApprovalPorts {
  readonly config: Config;
  /** The user's home, and the agent's. */
  readonly home: string;
  readonly agentHome: string;
  redact(text: string): string;
  models(): Promise<ConnectingModelService>;
  sessions(): SessionService;
  /** The tool whose calls are shell commands. */
  commandTool(): Promise<AnyTool | undefined>;
  sandbox(): Promise<SandboxState | undefined>;
  store(): Promise<SqliteStore>;
  readonly log: Logger;
}

export interface Approvals extends ApprovalChain {
  readonly service: ApprovalService;
  /** Lets other processes of the home see and answer the approval questions of a session. */
  shared(prompter: Prompter, surface: string): Prompter;
  notices(): readonly Notice[];
}

const AUTO_APPROVE = "delegation.subagent_auto_approve";

/** Approving subagents in general covers their own work, not what untrusted content may request. */
function subagentApprover(config: (path: string) => Json | undefined): Approver {
  return async ({ subagent, risk }) =>
    subagent !== undefined && risk.fresh !== true && config(AUTO_APPROVE) === true
      ? { kind: "allow", scope: "once", by: AUTO_APPROVE }
      : "pass";
}

/**
 * The user's rules, the model that may decide before them, and the service that explains both. The last two load on
 * first use.
 */
export async function openApprovals(ports: ApprovalPorts): Promise<Approvals> {
  const { config, home, agentHome, redact } = ports;
  const rules = new ApprovalRules({ config, home, agentHome, now: () => systemClock.now() });
  await rules.check();
  const requests = lazily(async () =>
    (await import("../store/service/approval-requests.ts")).openApprovalRequests(await ports.store()),
  );
  const sharing = (surface: string) => ({ surface, log: ports.log, requests });
  let opening: Promise<RuleService> | undefined;
  const service = () =>
    (opening ??= import("./approval-service.ts").then(({ openApprovalService }) =>
      openApprovalService({
        rules,
        config,
        sessions: ports.sessions(),
        home,
        agentHome,
        redact,
        commandTool: () => ports.commandTool(),
        sandbox: () => ports.sandbox(),
      }),
    ));
  return {
    approvers: [
      allowlistApprover(
        () => rules.allowing(),
        (rule) => config.changeList(RULE_LISTS.allow, rules.remembering(rule)),
      ),
      subagentApprover((path) => config.get(path)),
    ],
    smart: async (request, signal) =>
      (await import("./smart-approver.ts")).askModel(request, signal, {
        clock: systemClock,
        config: (path) => config.get(path),
        redact,
        model: async () => (await ports.models()).auxiliary("approval"),
      }),
    absent: async (surface) => {
      if (!isScheduled(surface) || !(await (await requests()).watched())) return undefined;
      return (await import("./shared-prompter.ts")).absentPrompter(sharing(surface));
    },
    shared: (prompter, surface) => ({
      atTerminal: prompter.atTerminal,
      ask: async (question, signal) =>
        question.kind === "approval"
          ? (await import("./shared-prompter.ts")).askEverywhere(prompter, question, signal, sharing(surface))
          : prompter.ask(question, signal),
    }),
    notices: () => rules.notices,
    service: {
      explain: async (command, asked) => (await service()).explain(command, asked),
      answer: async (command, asked) => (await service()).answer(command, asked),
      rules: async () => (await service()).rules(),
      sandbox: async () => (await service()).sandbox(),
      revoke: async (rule) => (await service()).revoke(rule),
      whatIf: async (change, asked) => (await service()).whatIf(change, asked),
      pending: async () => (await requests()).pending(),
      decide: async (id, reply) => (await import("./decide-pending.ts")).decidePending(await requests(), id, reply),
      watch: () => watchPending(requests, ports.log),
    },
  };
}
