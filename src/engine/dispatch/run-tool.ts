import type { Clock } from "../../contract/common/clock.ts";
import { OutcomeUnknown, ToolFailure, UserError } from "../../contract/common/failure.ts";
import type { ToolCallInfo, ToolExecutionInfo } from "../../contract/plugins/hook.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { ToolOutcome } from "../../contract/tools/outcome.ts";
import { TerminalUnavailable } from "../../contract/providers/terminal.ts";
import { thrownWords } from "../../contract/common/thrown-text.ts";
import { callContext } from "./call-context.ts";
import { riskContext, type Call } from "./call.ts";
import { Deadline } from "../async/deadline.ts";
import { authorOfFailure, noteFetch } from "../approval/untrusted-gate.ts";
import { onAbort } from "../async/on-abort.ts";
import { fillSecrets, type HandlePorts } from "../approval/secret-handles.ts";
import { isQuiet } from "../approval/quiet.ts";

/** How long a stopped tool may take to stop. */
export const GRACE_MS = 5_000;
const MAX_MESSAGE_CHARS = 2_000;

export type Ran = { readonly kind: "output"; readonly output: unknown } | Exclude<ToolOutcome, { kind: "ok" }>;

/**
 * Runs the tool with its timeout, inside the `tool_execution` middleware. The tool is asked to stop but not trusted to:
 * after a grace period the call ends without it. Never rejects.
 * @param inputOf The tool's input, or a promise of it, for the arguments that middleware passes on; rejects if they
 * differ from what was approved.
 */
export async function runTool(call: Call, info: ToolCallInfo, inputOf: (info: ToolCallInfo) => unknown): Promise<Ran> {
  const { ports, tool, entry, signal, scope } = call;
  if (signal.aborted) return { kind: "cancelled", reason: reasonOf(signal) };
  let stop: AbortController | undefined;
  let late: ToolFailure | undefined;
  let over: AbortController | undefined;
  const stopper = () => (stop ??= new AbortController());
  const timeoutMs =
    typeof tool.timeoutMs === "function"
      ? tool.timeoutMs(riskContext(ports, call.session))
      : entry.value.declaration.timeoutMs;
  let waiting: Waiting | undefined;
  let listening: Disposable | undefined;
  let running: Disposable | undefined;
  const deadline = new Deadline(
    ports.clock,
    timeoutMs,
    () => waiting?.stopNow((late ??= timedOut(entry.name, timeoutMs))),
    scope.deadline,
  );
  try {
    const context = callContext(
      call,
      () => stopper().signal,
      () => (over ??= new AbortController()).signal,
      deadline,
    );
    running = ports.running?.(entry.owner, {
      fetched: (url) => noteFetch(call, url),
      call: context.call,
      ask: context.ask,
    });
    const execute = async (last: ToolCallInfo): Promise<Json> => {
      const given = inputOf(last);
      const input = given instanceof Promise ? await given : given;
      stop?.signal.throwIfAborted();
      const filled = fillSecrets(entry.name, tool.secrets, input, handlePorts(ports));
      call.journal.granted = filled.granted;
      return (await tool.execute(filled.input as never, context)) as Json;
    };
    const work = ports.middlewares.has("tool_execution")
      ? ports.middlewares.run("tool_execution", executionInfo(call, info), execute)
      : execute(info);
    if (await settlesAtOnce(work)) return { kind: "output", output: await work };
    waiting = new Waiting(ports.clock, stopper);
    deadline.begin();
    const cancel = () => waiting?.stopNow(signal.reason);
    listening = onAbort(signal, cancel);
    if (signal.aborted) cancel();
    const ended = await Promise.race([work.then((output: unknown) => ({ output })), waiting.gaveUp.promise]);
    if (ended !== undefined) return { kind: "output", output: ended.output };
    work.catch(() => undefined); // The caller no longer waits for it.
    ports.log.warning(`The tool "${entry.name}" did not stop within ${GRACE_MS} ms after it was asked to.`, {
      callId: call.request.callId,
      owner: entry.owner,
    });
    return stopped(call, late, false);
  } catch (cause) {
    // The tool's own result says more than the fact that it was stopped.
    if (
      stop?.signal.aborted === true &&
      (cause === stop.signal.reason || !(cause instanceof ToolFailure || cause instanceof OutcomeUnknown))
    )
      return stopped(call, late, true);
    return failure(call, cause);
  } finally {
    // Not `using`, which costs a microsecond a call.
    running?.[Symbol.dispose]();
    listening?.[Symbol.dispose]();
    waiting?.[Symbol.dispose]();
    deadline[Symbol.dispose]();
    // Work that it started and did not await ends with it.
    over?.abort(new Error("The call that started it has ended."));
  }
}

/** What `tool_execution` middleware receives beyond the call itself. */
function executionInfo({ session, journal, assessment }: Call, info: ToolCallInfo): ToolExecutionInfo {
  const { effect } = journal;
  const { cwd } = session;
  if (isQuiet(effect)) return { ...info, effect, cwd, touches: [] };
  return { ...info, effect, cwd, touches: assessment?.touches ?? (effect === "network" ? [] : [cwd]) };
}

function handlePorts(ports: Call["ports"]): HandlePorts {
  const allowed = (name: string) => {
    const handles = ports.config("security.secret_handles");
    const rule =
      typeof handles === "object" && handles !== null && Object.hasOwn(handles, name)
        ? (handles as JsonObject)[name]
        : undefined;
    return typeof rule === "object" && rule !== null
      ? (rule as { readonly tools?: readonly string[]; readonly hosts?: readonly string[] })
      : undefined;
  };
  return { allowed, secret: (name) => ports.secret(name), masks: ports.config("security.redact_secrets") !== false };
}

/** Tells the tool to stop, and after a grace period stops waiting for it. */
class Waiting implements Disposable {
  readonly gaveUp = Promise.withResolvers<undefined>();
  readonly #clock: Clock;
  readonly #stopper: () => AbortController;
  #grace: Disposable | undefined;

  constructor(clock: Clock, stopper: () => AbortController) {
    this.#clock = clock;
    this.#stopper = stopper;
  }

  /** The first reason counts. */
  stopNow(reason: unknown): void {
    if (this.#grace !== undefined) return;
    this.#grace = this.#clock.alarm(GRACE_MS, () => this.gaveUp.resolve(undefined));
    this.#stopper().abort(reason);
  }

  [Symbol.dispose](): void {
    this.#grace?.[Symbol.dispose]();
  }
}

/**
 * Whether the work ends without waiting for anything outside this process. Then no timer and no listener is needed,
 * which are dearer than the rest of a call.
 */
async function settlesAtOnce(work: Promise<unknown>): Promise<boolean> {
  const seen = { settled: false };
  const settle = () => void (seen.settled = true);
  work.then(settle, settle);
  for (let turn = 0; turn < 16 && !seen.settled; turn++) await undefined;
  return seen.settled;
}

function timedOut(name: string, timeoutMs: number): ToolFailure {
  return new ToolFailure("timeout", `"${name}" did not end within ${timeoutMs / 1000} s and was stopped.`, {
    hint: "Request less at a time, or check whether it did part of its work.",
  });
}

function stopped(call: Call, late: ToolFailure | undefined, settled: boolean): Ran {
  if (late !== undefined) {
    const message = settled ? late.message : `${late.message} It did not stop when asked to and may still be running.`;
    return { kind: "failed", code: late.code, message, hint: late.hint };
  }
  const reason = reasonOf(call.signal);
  return settled || isQuiet(call.journal.effect)
    ? { kind: "cancelled", reason }
    : { kind: "unknown", reason: `${reason} The tool did not stop when asked to.` };
}

/** Why a signal was aborted, in words. */
export function reasonOf(signal: AbortSignal): string {
  const reason: unknown = signal.reason;
  if (typeof reason === "string") return reason;
  return reason instanceof Error && reason.name !== "AbortError" ? reason.message : "The turn was stopped.";
}

function failure(call: Call, cause: unknown): Ran {
  const author = authorOfFailure(call, cause);
  if (cause instanceof ToolFailure) {
    const { code, message, hint, data, words } = cause;
    return {
      kind: "failed",
      code,
      message,
      hint,
      data,
      words,
      ...author,
    };
  }
  if (cause instanceof OutcomeUnknown)
    return {
      kind: "unknown",
      reason: cause.message,
      data: cause.data,
      ...author,
    };
  // A missing setting (no such backend, no key) or a lost environment is not a bug of the tool.
  if (cause instanceof UserError || cause instanceof TerminalUnavailable)
    return {
      kind: "failed",
      code: "unavailable",
      message: cause.message,
      hint: cause.hint,
      ...author,
    };
  return crashed(call, cause);
}

/** An unexpected error of a tool: the stack goes to the log, type and message go to the model. */
export function crashed(call: Call, cause: unknown): Extract<ToolOutcome, { kind: "failed" }> {
  const { ports, entry, request } = call;
  ports.log.error(`The tool "${entry.name}" of "${entry.owner}" threw.`, { cause, callId: request.callId });
  const type = cause instanceof Error ? cause.name || cause.constructor.name : typeof cause;
  const message = messageOf(cause);
  const hint =
    typeof cause === "object" && cause !== null && "hint" in cause && typeof cause.hint === "string"
      ? cause.hint
      : undefined;
  return {
    kind: "failed",
    code: "crashed",
    message: `Tool execution failed: ${type}: ${message}`,
    hint,
    ...authorOfFailure(call, cause),
  };
}

export function messageOf(cause: unknown): string {
  const message = thrownWords(cause);
  return message.length > MAX_MESSAGE_CHARS ? `${message.slice(0, MAX_MESSAGE_CHARS)}...` : message;
}
