import type { Decision, Risk } from "../../contract/tools/approval.ts";
import type { Effect } from "../../contract/tools/effect.ts";
import type { Origin } from "../../contract/conversation/fact.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { SettledOutcome } from "../../contract/tools/outcome.ts";
import type { ToolCallPart } from "../../contract/conversation/part.ts";

/** A call from intent to end. */
export interface CallState {
  readonly callId: string;
  readonly turnId: string;
  readonly tool: string;
  /** The arguments that the model wrote for that tool; absent for calls of others. */
  readonly args?: string;
  /** The call as the conversation shows it. For a call through the bridge, that differs from the call that runs. */
  readonly part?: ToolCallPart;
  called?: {
    readonly args: JsonObject | undefined;
    readonly effect: Effect;
    readonly repeatable: boolean;
    readonly by: Origin;
    readonly parentCallId: string | undefined;
  };
  started: boolean;
  asked?: { readonly risk: Risk; readonly digest: string };
  given?: Decision;
  outcome?: SettledOutcome;
  /** Sessions it began for pieces of its work. */
  subagents?: { readonly sessionId: string; readonly goal: string }[];
}
