import { ToolFailure } from "../../contract/common/failure.ts";
import type { Json } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Question } from "../../contract/conversation/question.ts";
import type { ToolContext } from "../../contract/tools/tool.ts";
import { askInTime } from "../approval/ask-in-time.ts";
import type { Call } from "./call.ts";
import type { Deadline } from "../async/deadline.ts";
import { noteFetch, notePassedOn } from "../approval/untrusted-gate.ts";
import { noteFound } from "../approval/found-addresses.ts";
import { noticeParts } from "../session/notice-parts.ts";

const MAX_PROGRESS_CHARS = 2_000;

/**
 * The context of a running tool.
 * @param over Aborted when the call has ended.
 */
export function callContext(
  call: Call,
  signal: () => AbortSignal,
  over: () => AbortSignal,
  deadline: Deadline,
): ToolContext {
  const { ports, request, session, entry, scope } = call;
  let log: Logger | undefined;
  return {
    // Named one by one: spreading another object here costs more than making it.
    cwd: session.cwd,
    home: ports.home,
    sessionId: session.sessionId,
    taskId: session.taskId,
    agentHome: ports.agentHome,
    interactive: session.prompter !== undefined,
    config: (path) => ports.config(path),
    callId: request.callId,
    turnId: request.turnId,
    by: request.by,
    besideOthers: request.besideOthers === true,
    get assessment() {
      return call.assessment;
    },
    get signal() {
      return signal();
    },
    get log() {
      return (log ??= ports.log.child(entry.name));
    },
    scratch: () => ports.scratch(session.sessionId),
    env: (name) => ports.env(entry.owner, name),
    progress: (text) =>
      session.live({
        type: "tool.progress",
        callId: request.callId,
        text: ports.redact(text).slice(0, MAX_PROGRESS_CHARS),
      }),
    ask: async (question, limit) => {
      if (session.prompter === undefined)
        throw new ToolFailure("nobody", "No user is connected who could answer.", {
          hint: "Continue with what you know, and say in your answer what is left open.",
        });
      using _ = deadline.pause();
      return await askInTime(
        session.prompter,
        named(question, session.subagent?.goal),
        {
          seconds: limit?.timeoutMs === undefined ? ports.config("agent.clarify_timeout") : limit.timeoutMs / 1000,
          clock: ports.clock,
        },
        signal(),
      );
    },
    state: <T extends Json>(key: { readonly key: string; readonly initial: T }) => ({
      get: () => (session.state(key.key) as T | undefined) ?? key.initial,
      set: (next: T) => session.record([{ type: "state.set", key: key.key, value: next }]),
    }),
    use: (slot, id) => ports.use(slot, id),
    fetch: async (url, options) => {
      noteFetch(call, String(url));
      return ports.fetch(entry.owner, call.journal.granted)(url, { signal: signal(), ...options });
    },
    found: (addresses, page) =>
      noteFound(call.journal.found, addresses, {
        page,
        allowPrivate: ports.config("security.allow_private_urls") === true,
      }),
    call: async (tool, args) => {
      const outcome = await scope.dispatch(
        { turnId: request.turnId, callId: ports.ids("call"), tool, args, by: "plugin", parentCallId: request.callId },
        session,
        signal(),
        { ...scope, depth: scope.depth + 1, deadline },
      );
      notePassedOn(call, outcome);
      return outcome;
    },
    offered: async () => new Set(session.offered.size > 0 ? session.offered : ((await session.wouldOffer?.()) ?? [])),
    held: async () =>
      (await import("../tools/deferred-tools.ts")).deferredTools(ports, session.held?.() ?? [], {
        surface: session.surface,
        prompter: session.prompter !== undefined,
      }),
    depth: session.subagent?.depth ?? 0,
    spawn: async (task) => {
      const ends = AbortSignal.any([signal(), over()]);
      return (await import("../session/run-subagent.ts")).runSubagent(call, task, ends, deadline);
    },
    transform: (hook, payload) =>
      ports.hooks.has(hook) ? ports.hooks.chain(hook, payload) : Promise.resolve(payload.value),
    notify: (text, untrusted) =>
      session.queue(noticeParts({ text, foreign: untrusted }, entry, ports.redact), "process"),
  };
}

/** The asking agent, if it is not the one that the user talks to. */
function named(question: Question, goal: string | undefined): Question {
  return goal === undefined || question.kind === "approval"
    ? question
    : { ...question, text: `[Subagent: ${goal}] ${question.text}` };
}
