import type { Fact } from "../../contract/conversation/fact.ts";
import type { Json } from "../../contract/common/json.ts";
import type { SettledOutcome } from "../../contract/tools/outcome.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { SessionStore } from "../../contract/conversation/store.ts";
import { isAmbiguous } from "../dispatch/settle.ts";
import type { CallState } from "../dispatch/call-state.ts";
import { Transcript } from "../transcript/transcript.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

const SUMMARY_CHARS = 4_000;
const CALLS_SHOWN = 20;

/**
 * Adds to calls that ended as "outcome unknown" what their subagents had done by then, read from their own sessions:
 * the model should check instead of guessing. Nothing of it runs again.
 */
export async function withSubagents(
  facts: readonly Fact[],
  transcript: Transcript,
  store: SessionStore,
): Promise<readonly Fact[]> {
  return Promise.all(
    facts.map(async (fact): Promise<Fact> => {
      const call = fact.type === "tool.settled" ? transcript.calls.get(fact.callId) : undefined;
      if (fact.type !== "tool.settled" || fact.outcome.kind !== "unknown" || call?.subagents === undefined) return fact;
      return { ...fact, outcome: await message(fact.outcome, call.tool, call.subagents, store) };
    }),
  );
}

async function message(
  outcome: Extract<SettledOutcome, { kind: "unknown" }>,
  tool: string,
  subagents: NonNullable<CallState["subagents"]>,
  store: SessionStore,
): Promise<SettledOutcome> {
  const children = await Promise.all(
    subagents.map(async ({ sessionId, goal }) => ({
      sessionId,
      goal,
      child: new Transcript(await Array.fromAsync(store.read(sessionId))),
    })),
  );
  const strange = [...new Set(children.flatMap(({ child }) => child.untrusted.own))];
  const data = {
    subagents: children.map(({ sessionId, goal, child }) => ({ goal, session_id: sessionId, ...stateOf(child) })),
  };
  return {
    ...outcome,
    data: { ...outcome.data, ...data },
    ...definedFields({
      from:
        strange.length === 0
          ? undefined
          : {
              trust: "foreign" as const,
              owner: "subagent",
              tool,
              source: `a subagent that read ${strange.join(", ").slice(0, 200)}`,
            },
    }),
  };
}

function stateOf(child: Transcript): { readonly [key: string]: Json } {
  const calls = [...child.calls.values()];
  const done = calls.filter(({ outcome }) => outcome !== undefined);
  const open = calls.filter(({ outcome }) => outcome === undefined);
  const summary = child.open === undefined ? lastWords(child).slice(0, SUMMARY_CHARS) : "";
  return definedFields({
    status: child.open === undefined ? "ended" : "interrupted",
    summary: summary === "" ? undefined : summary,
    done: done.slice(-CALLS_SHOWN).map((call) => `${nameOf(call)}: ${call.outcome!.kind}`),
    interrupted: open.map(
      (call) =>
        `${nameOf(call)}: ${isAmbiguous(call) ? "it may or may not have happened" : "not started, or it changes nothing"}`,
    ),
  });
}

function lastWords(child: Transcript): string {
  const last = child.messages().at(-1);
  return last?.role === "assistant" ? textOf(last.parts) : "";
}

function nameOf({ tool, called, args }: CallState): string {
  return `${tool} ${called?.args === undefined ? (args ?? "") : JSON.stringify(called.args)}`.slice(0, 160);
}
