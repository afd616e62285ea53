import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  definedFields,
  ToolFailure,
  UserError,
  type JsonObject,
  type SubagentResult,
  type ToolContext,
} from "hermes-agent/plugin";
import { limitsOf, type Limits } from "./limits.ts";
import { Rooms } from "./rooms.ts";

/** The system prompt of every subagent; its task comes with the first message. */
const IDENTITY = `You are a subagent of Hermes. Another agent gave you the task below. Complete it alone with your tools; you know nothing else about its work, and it cannot answer questions.
That agent reads only your last message. Make it a summary: what you did and found, which files you created or changed, what failed or remains to be done.`;

interface Task {
  readonly goal: string;
  readonly context?: string | undefined;
  readonly toolsets?: readonly string[] | undefined;
  readonly role?: string | undefined;
}

export interface DelegateInput extends Omit<Task, "goal"> {
  readonly goal?: string | undefined;
  readonly tasks?: readonly Task[] | undefined;
}

export interface DelegateOutput {
  readonly results: readonly JsonObject[];
  readonly total_duration_seconds: number;
}

/** Tools that no subagent gets: only the user's session sends messages, writes memory and schedules jobs. */
const NEVER = ["clarify", "memory", "send_message", "execute_code", "cronjob"];
const DELEGATE = "delegate_task";
const TRACE_SHOWN = 40;

const rooms = new Rooms();

/** Runs the tasks in parallel, each in a subagent, and returns their final answers in the order of the tasks. */
export async function delegate(
  input: DelegateInput,
  call: ToolContext,
  redact: (text: string) => string,
): Promise<DelegateOutput> {
  const limits = limitsOf((path) => call.config(path));
  const tasks = tasksOf(input);
  if (call.depth >= limits.maxDepth)
    throw new ToolFailure(
      "blocked",
      `A subagent at depth ${call.depth} cannot start subagents: delegation.max_spawn_depth is ${limits.maxDepth}.`,
      { hint: "Do the task yourself." },
    );
  if (tasks.length > limits.maxChildren) {
    throw new ToolFailure(
      "bad_arguments",
      `Too many tasks (${tasks.length}): at most ${limits.maxChildren} subagents may run at a time (delegation.max_concurrent_children). None was started.`,
      { hint: `Pass at most ${limits.maxChildren} tasks in one call.` },
    );
  }
  const startedAt = performance.now();
  const ended = await Promise.allSettled(
    tasks.map((task, index) => one(task, index, tasks.length === 1, { call, limits, redact })),
  );
  // Wait for all of them: no subagent may outlive its call.
  const results = ended.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
  return { results, total_duration_seconds: seconds(performance.now() - startedAt) };
}

/** `tasks` overrides `goal`; the other top-level arguments are defaults for each task. */
function tasksOf({ goal, tasks, context, toolsets, role }: DelegateInput): readonly Task[] {
  const all =
    tasks !== undefined && tasks.length > 0
      ? tasks.map((task) => ({
          ...task,
          context: task.context ?? context,
          toolsets: task.toolsets ?? toolsets,
          role: task.role ?? role,
        }))
      : [{ goal: goal ?? "", context, toolsets, role }];
  if (all.some((task) => task.goal.trim() === ""))
    throw new ToolFailure(
      "bad_arguments",
      tasks === undefined
        ? "goal is missing: pass `goal` for one subagent or `tasks` for several."
        : "Every task needs a goal.",
    );
  return all;
}

interface Service {
  readonly call: ToolContext;
  readonly limits: Limits;
  readonly redact: (text: string) => string;
}

/** @param alone It is the only task of the call, so its failure is the call's failure. */
async function one(task: Task, index: number, alone: boolean, service: Service): Promise<JsonObject> {
  const { call, limits } = service;
  const startedAt = performance.now();
  const orchestrates = task.role === "orchestrator" && limits.orchestrators && call.depth + 1 < limits.maxDepth;
  try {
    using _room = await rooms.take(call.sessionId, limits.maxChildren, call.signal);
    const result = await call.spawn(
      definedFields({
        goal: task.goal.trim(),
        message:
          task.context === undefined || task.context.trim() === ""
            ? task.goal.trim()
            : `${task.goal.trim()}\n\nContext:\n${task.context.trim()}`,
        identity: IDENTITY,
        role: orchestrates ? "orchestrator" : "leaf",
        without: orchestrates ? NEVER : [DELEGATE, ...NEVER],
        maxRequests: limits.maxRequests,
        toolsets: task.toolsets === undefined || task.toolsets.length === 0 ? undefined : task.toolsets,
        timeoutMs: limits.timeoutMs,
      }),
    );
    return { task_index: index, ...(await message(result, service)) };
  } catch (cause) {
    if (call.signal.aborted)
      return {
        task_index: index,
        status: "interrupted",
        summary: "",
        exit_reason: "interrupted",
        duration_seconds: seconds(performance.now() - startedAt),
      };
    if (alone || !(cause instanceof ToolFailure || cause instanceof UserError)) throw cause;
    return {
      task_index: index,
      status: "error",
      summary: "",
      exit_reason: "error",
      error: [cause.message, cause.hint].filter(Boolean).join(" "),
      duration_seconds: seconds(performance.now() - startedAt),
    };
  }
}

const ENDS: { readonly [reason in SubagentResult["reason"]]: readonly [status: string, exit: string] } = {
  done: ["completed", "completed"],
  limit: ["completed", "max_iterations"],
  budget: ["completed", "max_iterations"],
  cancelled: ["interrupted", "interrupted"],
  timeout: ["timeout", "timeout"],
  failed: ["failed", "error"],
};

/** The result for the parent's model, with the original's wording. */
async function message(result: SubagentResult, service: Service): Promise<JsonObject> {
  const [status, exit] = ENDS[result.reason];
  return {
    status: status === "completed" && result.text === "" ? "failed" : status,
    ...(await summaryOf(result, service)),
    api_calls: result.requests,
    duration_seconds: seconds(result.durationMs),
    model: result.model,
    exit_reason: exit,
    tokens: { input: result.usage.inputTokens, output: result.usage.outputTokens },
    tool_trace: result.calls.slice(-TRACE_SHOWN).map(({ tool, argsBytes, resultBytes, ok }) => ({
      tool,
      args_bytes: argsBytes,
      result_bytes: resultBytes,
      status: ok ? "ok" : "error",
    })),
    session_id: result.sessionId,
    ...definedFields({ error: result.reason === "done" || result.detail === undefined ? undefined : result.detail }),
  };
}

async function summaryOf({ sessionId, text }: SubagentResult, { call, limits, redact }: Service): Promise<JsonObject> {
  if (text.length <= limits.maxSummaryChars) return { summary: text };
  const shortened = { summary: text.slice(0, limits.maxSummaryChars).toWellFormed(), summary_truncated: true };
  try {
    const file = join(await call.scratch(), `subagent-${sessionId}.md`);
    await writeFile(file, redact(text), { mode: 0o600 });
    return { ...shortened, summary_full_path: file };
  } catch (cause) {
    // A full disk must not lose the subagent's result.
    return { ...shortened, summary_rest_lost: cause instanceof Error ? cause.message : String(cause) };
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 10) / 100;
}
