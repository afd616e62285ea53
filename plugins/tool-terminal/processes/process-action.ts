import { definedFields, ToolFailure, type ToolContext } from "hermes-agent/plugin";
import { plainText, stopRequest } from "hermes-agent/terminal";
import type { ProcessRegistry } from "./process-registry.ts";
import type { TrackedProcess } from "./tracked-process.ts";

export interface ProcessInput {
  readonly action: "list" | "poll" | "log" | "wait" | "kill" | "write" | "submit" | "close";
  readonly session_id?: string;
  readonly data?: string;
  readonly timeout?: number;
  readonly offset?: number;
  readonly limit?: number;
}

/** Runs one action of the process tool. */
export async function processAction(input: ProcessInput, call: ToolContext, registry: ProcessRegistry) {
  if (input.action === "list") return { processes: registry.list(call).map(listed) };
  if (input.session_id === undefined || input.session_id === "")
    throw new ToolFailure("bad_arguments", `action ${input.action} needs session_id.`, {
      hint: "Use action list to list the processes.",
    });
  const entry = registry.get(input.session_id, call);
  if (entry === undefined)
    throw new ToolFailure("not_found", `No background process has the ID ${JSON.stringify(input.session_id)}.`, {
      hint: "Use action list to list the processes.",
      data: { status: "not_found" },
    });
  // If the environment does not answer, return the output that is already known.
  if (["poll", "log", "wait"].includes(input.action)) await entry.process.refresh?.().catch(() => {});
  switch (input.action) {
    case "poll":
      return {
        session_id: entry.id,
        command: entry.command,
        ...state(entry),
        pid: entry.process.pid ?? null,
        uptime_seconds: uptime(entry),
        output_preview: tail(entry, 1_000),
      };
    case "log":
      return log(entry, input);
    case "wait":
      return wait(entry, input, call);
    case "kill":
      return kill(entry, registry);
    case "write":
    case "submit":
      return write(entry, input, call.signal);
    case "close":
      return close(entry);
  }
}

function listed(entry: TrackedProcess) {
  return {
    session_id: entry.id,
    command: entry.command.slice(0, 200),
    cwd: entry.cwd,
    pid: entry.process.pid ?? null,
    started_at: new Date(entry.startedAt).toISOString(),
    uptime_seconds: uptime(entry),
    ...state(entry),
    output_preview: tail(entry, 200),
    ...(entry.watchPatterns.length > 0
      ? { watch_patterns: entry.watchPatterns, watch_hit: entry.watchHit ?? null }
      : {}),
    ...definedFields({
      notify_on_complete: entry.notifyOnComplete ? true : undefined,
      detached: entry.detached ? true : undefined,
      kept: entry.persistent ? true : undefined,
    }),
  };
}

function state(entry: TrackedProcess) {
  if (entry.end === undefined) return { status: "running" as const };
  return {
    status: "exited" as const,
    exit_code: entry.end.exitCode ?? null,
    completion_reason: entry.end.reason,
    termination_source: entry.end.source,
  };
}

function log(entry: TrackedProcess, input: ProcessInput) {
  const { droppedBytes } = entry.process.output();
  const text = plainText(entry.process.output().text);
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const limit = Math.max(0, input.limit ?? 200);
  const from =
    input.offset === undefined
      ? Math.max(0, lines.length - limit)
      : input.offset < 0
        ? Math.max(0, lines.length + input.offset)
        : input.offset;
  const shown = lines.slice(from, from + limit);
  return definedFields({
    session_id: entry.id,
    command: entry.command,
    status: entry.end === undefined ? "running" : "exited",
    output: shown.join("\n"),
    total_lines: lines.length,
    showing: shown.length === 0 ? "no lines" : `lines ${from} to ${from + shown.length - 1} of ${lines.length}`,
    note: droppedBytes > 0 ? `${droppedBytes} older bytes were dropped; line 0 is the first one left.` : undefined,
  });
}

async function wait(entry: TrackedProcess, input: ProcessInput, call: ToolContext) {
  const configured = call.config("terminal.timeout");
  const limit = typeof configured === "number" && configured > 0 ? configured : 180;
  const seconds = Math.max(0, Math.min(input.timeout ?? limit, limit));
  const cut =
    input.timeout !== undefined && input.timeout > limit
      ? `Waited ${limit} s, the maximum for one call, instead of ${input.timeout}. `
      : "";
  const why = entry.end === undefined ? await endOrStop(entry, seconds * 1_000, call.signal) : "end";
  if (why === "end")
    return {
      command: entry.command,
      ...state(entry),
      output: tail(entry, 2_000),
      ...definedFields({ timeout_note: cut === "" ? undefined : cut.trim() }),
    };
  if (why === "cancelled")
    return {
      status: "interrupted",
      command: entry.command,
      output: tail(entry, 1_000),
      note: "The wait was interrupted; the process still runs.",
    };
  return {
    status: "timeout",
    command: entry.command,
    output: tail(entry, 1_000),
    timeout_note: `${cut}The process still runs after ${seconds} s.`,
  };
}

async function endOrStop(
  entry: TrackedProcess,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<"end" | "cancelled" | "timeout"> {
  using stop = stopRequest({ signal, timeoutMs });
  entry.waiting += 1;
  try {
    return await Promise.race([
      entry.process.ended.then(() => "end" as const),
      stop.asked.then(() => stop.reason ?? "timeout"),
    ]);
  } finally {
    entry.waiting -= 1;
  }
}

async function kill(entry: TrackedProcess, registry: ProcessRegistry) {
  if (entry.end !== undefined)
    return { command: entry.command, ...state(entry), status: "already_exited", output: tail(entry, 1_000) };
  await registry.stop(entry, "process.kill");
  return {
    status: "killed",
    session_id: entry.id,
    completion_reason: "killed",
    termination_source: "process.kill",
    output: tail(entry, 1_000),
  };
}

/** How long a call waits for a process that does not read its input. */
const READ_MS = 5_000;

function takesInput(entry: TrackedProcess): void {
  if (entry.end !== undefined)
    throw new ToolFailure("conflict", "Cannot write: the process has ended.", {
      data: { status: "already_exited" },
    });
}

async function write(entry: TrackedProcess, input: ProcessInput, signal: AbortSignal) {
  takesInput(entry);
  if (input.data === undefined && input.action === "write")
    throw new ToolFailure("bad_arguments", "action write needs data.", { data: { status: "error" } });
  // submit without data presses Enter.
  const data = input.action === "submit" ? `${input.data ?? ""}\n` : input.data!;
  const taken = entry.process.write(data).then(
    () => ({ status: "ok", bytes_written: Buffer.byteLength(data) }) as const,
    (error: Error) => {
      throw notTaken(error);
    },
  );
  using waiting = stopRequest({ signal, timeoutMs: READ_MS });
  const first = await Promise.race([taken, waiting.asked]);
  return (
    first ??
    ({
      status: "ok",
      bytes_written: Buffer.byteLength(data),
      note: "The process is not reading; the rest of the input is queued.",
    } as const)
  );
}

async function close(entry: TrackedProcess) {
  takesInput(entry);
  try {
    await entry.process.end();
  } catch (error) {
    throw notTaken(error as Error);
  }
  return { status: "ok", message: "Its input was closed." };
}

function notTaken(cause: Error): ToolFailure {
  return new ToolFailure("failed", cause.message, { data: { status: "error" }, cause });
}

function uptime(entry: TrackedProcess): number {
  return Math.max(0, Math.round(((entry.end?.at ?? Date.now()) - entry.startedAt) / 1_000));
}

function tail(entry: TrackedProcess, chars: number): string {
  return plainText(entry.process.output().text.slice(-4 * chars)).slice(-chars);
}
