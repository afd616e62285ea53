import type { ToolCallInfo } from "../../contract/plugins/hook.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { AnyTool, RiskContext } from "../../contract/tools/tool.ts";
import type { ToolOutcome } from "../../contract/tools/outcome.ts";
import type { Assessed } from "../approval/assess.ts";
import { coerce } from "../arguments/coerce.ts";
import type { CallJournal } from "./call-journal.ts";
import type { Deadline } from "../async/deadline.ts";
import { decodeArguments, decodeObject } from "../arguments/decode.ts";
import type { CallRequest, CallSession, DispatchPorts, ProcessPorts, ToolEntry } from "../ports.ts";
import type { Registered } from "../tools/registry.ts";
import { ownNames } from "../tools/offered-names.ts";
import { isQuiet } from "../approval/quiet.ts";
import { isCompatTool } from "../tools/compat-tool.ts";
import { validate, type Validated } from "../arguments/validate.ts";

/** One call on its way through dispatch, from the moment its tool is known. */
export interface Call {
  readonly ports: DispatchPorts;
  readonly request: CallRequest;
  readonly session: CallSession;
  readonly signal: AbortSignal;
  readonly entry: Registered<ToolEntry>;
  readonly tool: AnyTool;
  readonly journal: CallJournal;
  readonly scope: CallScope;
  /** The tool's last assessment of this call; `undefined` before the first. */
  assessment: Assessed | undefined;
}

/** Where a call was made: at the top, or by a running tool, whose timeout then pauses while the user is asked. */
export interface CallScope {
  readonly depth: number;
  readonly deadline: Deadline | undefined;
  dispatch(request: CallRequest, session: CallSession, signal: AbortSignal, scope: CallScope): Promise<ToolOutcome>;
}

/**
 * Arguments that passed: `args` as the facts and hooks have them, `input` as the tool's schema made it. `misfit` is
 * what the schema says against arguments that are left to the handler.
 */
export type Prepared =
  | { readonly ok: true; readonly args: JsonObject; readonly input: unknown; readonly misfit?: string }
  | { readonly ok: false; readonly message: string; readonly args?: JsonObject };

/** Decodes, coerces, validates. */
export function prepare(args: string | JsonObject, entry: ToolEntry, tool: AnyTool): Prepared | Promise<Prepared> {
  const decoded =
    typeof args === "string" ? decodeArguments(args, isQuiet(entry.declaration.effect)) : decodeObject(args);
  if (!decoded.ok) return decoded;
  const { input } = entry.declaration;
  const coerced = coerce(ownNames(decoded.args, input), input);
  const validated = validate(coerced, tool.input);
  return validated instanceof Promise
    ? validated.then((late) => preparedOf(tool, coerced, late))
    : preparedOf(tool, coerced, validated);
}

function preparedOf(tool: AnyTool, args: JsonObject, validated: Validated): Prepared {
  if (validated.ok) return { ok: true, args, input: validated.input };
  return isCompatTool(tool) && validated.dangerous !== true
    ? { ok: true, args, input: args, misfit: validated.message }
    : { ok: false, message: `${validated.message} Nothing was run.`, args };
}

export function riskContext(
  ports: Pick<ProcessPorts, "home" | "agentHome" | "config">,
  session: CallSession,
): RiskContext {
  return {
    cwd: session.cwd,
    home: ports.home,
    sessionId: session.sessionId,
    taskId: session.taskId,
    agentHome: ports.agentHome,
    interactive: session.prompter !== undefined,
    config: (path) => ports.config(path),
  };
}

export function callInfo(request: CallRequest, session: CallSession, tool: string, args: JsonObject): ToolCallInfo {
  return {
    tool_name: tool,
    args,
    task_id: session.taskId,
    session_id: session.sessionId,
    tool_call_id: request.callId,
    turn_id: request.turnId,
  };
}
