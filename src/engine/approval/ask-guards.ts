import type { Risk } from "../../contract/tools/approval.ts";
import type { ToolOutcome } from "../../contract/tools/outcome.ts";
import { joinRisks } from "./approvers.ts";
import { callInfo, prepare, type Call, type Prepared } from "../dispatch/call.ts";
import { frozenCopy } from "../async/frozen-copy.ts";
import type { Guard } from "../hooks/hooks.ts";

type Ready = Extract<Prepared, { ok: true }>;
type Denied = Extract<ToolOutcome, { kind: "denied" }>;
type Failed = Extract<ToolOutcome, { kind: "failed" }>;

/** The call may proceed with these arguments and this risk, or it has ended. */
export type Guarded =
  | { readonly kind: "go"; readonly prepared: Ready; readonly risk: Risk | undefined }
  | Denied
  | Failed;

/**
 * Asks every `pre_tool_call` guard. One that blocks, or fails, ends the call; one that requests approval adds a risk;
 * one that changes the arguments makes all the others check them again, so that no guard has approved arguments it has
 * not seen. Each may change them once.
 */
export async function askGuards(call: Call, asked: Ready): Promise<Guarded> {
  const { ports, request, session, entry, tool } = call;
  const guards = ports.hooks.each("pre_tool_call");
  // Made only for a guard that answers: most say nothing about a call.
  let changed: Set<Guard<"pre_tool_call">> | undefined;
  let risks: Map<Guard<"pre_tool_call">, Risk> | undefined;
  let prepared = asked;
  let shown = frozenCopy(callInfo(request, session, entry.name, prepared.args));
  let waiting = guards;
  let at = 0;
  for (let guard = waiting[at++]; guard !== undefined; guard = waiting[at++]) {
    const asking = guard.ask(shown);
    const answer = asking instanceof Promise ? await asking : asking;
    const { owner } = guard;
    if (answer.kind === "broken")
      return refuse(
        call,
        owner,
        `The guard of the plugin "${owner}" is broken (${answer.reason}), so "${entry.name}" was not run.`,
      );
    if (answer.kind === "none") continue;
    const { verdict } = answer;
    if (verdict.action === "block") return refuse(call, owner, verdict.message);
    if (verdict.action === "approve") (risks ??= new Map()).set(guard, wanted(owner, entry.name, verdict));
    if (verdict.args === undefined || changed?.has(guard) === true) continue;
    const again = await prepare(verdict.args, entry.value, tool);
    if (!again.ok)
      return {
        kind: "failed",
        code: "bad_arguments",
        message: `The plugin "${owner}" changed the arguments of "${entry.name}" to invalid ones, so it was not run: ${again.message}`,
      };
    ports.log.debug(`The plugin "${owner}" changed the arguments of a call of "${entry.name}".`, {
      callId: request.callId,
    });
    prepared = again;
    shown = frozenCopy({ ...shown, args: again.args });
    (changed ??= new Set()).add(guard);
    waiting = guards.filter((other) => other !== guard);
    at = 0;
  }
  return {
    kind: "go",
    prepared,
    risk: risks?.values().reduce<Risk | undefined>((sum, risk) => joinRisks(sum, risk), undefined),
  };
}

function wanted(
  owner: string,
  tool: string,
  { message, rule_key }: { readonly message?: string; readonly rule_key?: string },
): Risk {
  return {
    answer: "ask",
    key: `plugin_rule:${rule_key ?? `${owner}:${tool}`}`,
    reasons: [message ?? `The plugin "${owner}" wants this call approved.`],
    effects: [],
  };
}

/** The call is not run, in the words its tool has for that. */
export function refuse({ entry }: Call, by: string, reason: string): Denied {
  const { refusal } = entry.value.declaration;
  return { kind: "denied", by, reason, data: refusal };
}
