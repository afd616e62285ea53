import { constants } from "node:os";
import { definedFields, OutcomeUnknown, ToolFailure, type Terminal, type ToolContext } from "hermes-agent/plugin";
import { randomHex } from "hermes-agent/terminal";
import type { CommandShape } from "./command-shape.ts";
import { exitCodeMeaning } from "./exit-code-meaning.ts";
import type { ForegroundCommand } from "./foreground-commands.ts";
import { maskSpill } from "./mask-spill.ts";
import { plainText } from "hermes-agent/terminal";
import { giveVariables, hasSecrets } from "./secret-environment.ts";
import type { Sudo } from "./sudo.ts";
import type { TerminalInput } from "./terminal-input.ts";

const PROGRESS_LINES = 5;
const PROGRESS_COLUMNS = 200;
const PROGRESS_MS = 200;
/** Maximum size of the file with output that is too long to show. */
const MAX_SPILL_BYTES = 64_000_000;

interface ForegroundRun {
  readonly beside: boolean;
  readonly shape: CommandShape;
  /** ID of the backend. */
  readonly backend: string;
  readonly sudo: Sudo;
  redact(text: string): string;
  /** Makes a command of a remote environment visible to other programs. */
  readonly shown: ForegroundCommand | undefined;
}

/** Runs one command to its end. A non-zero status is a result, not an error. */
export async function runForeground(
  input: TerminalInput,
  call: ToolContext,
  terminal: Terminal,
  { beside, shape, backend, sudo, redact, shown }: ForegroundRun,
) {
  const limit = configured(call, "terminal.max_foreground_timeout", 600);
  const seconds = input.timeout || Math.min(limit, configured(call, "terminal.timeout", 180));
  if (seconds < 0)
    throw new ToolFailure("bad_arguments", `timeout must be a number of seconds, not ${seconds}.`, {
      data: { output: "", exit_code: -1, status: "error" },
    });
  if (seconds > limit) {
    throw new ToolFailure(
      "bad_arguments",
      `timeout is at most ${limit} s for a foreground command, not ${seconds}. Use background=true with notify_on_complete=true.`,
    );
  }
  if (shape.background !== undefined) {
    throw new ToolFailure("bad_arguments", `Run this in the background: ${shape.background}.`, {
      hint: "Use background=true, without &, nohup or setsid, then check it with the process tool.",
      data: { output: "", exit_code: -1, status: "error" },
    });
  }
  refuseInteractive(shape);
  await using answered = await sudo.answered(input.command, shape, call, terminal, backend);
  await using given = hasSecrets(input.env) ? await giveVariables(input.env, terminal) : undefined;
  using telling = progress(call);
  const result = await terminal.run(`${given?.take ?? ""}${answered.command}`, {
    signal: shown === undefined ? call.signal : AbortSignal.any([call.signal, shown.stopped]),
    timeoutMs: seconds * 1_000,
    maxOutputBytes: configured(call, "tool_output.max_bytes", 50_000),
    // In a subshell, so that the shell does not keep the variables.
    beside: beside || given !== undefined,
    // The file is masked when the command has ended; what a command with stored secrets prints is never in one.
    ...(given === undefined ? await spillInto(call) : {}),
    onOutput: (text) => {
      shown?.output(text);
      telling.output(text);
    },
    onProgress: (words) => call.progress(words),
    onStarted: (look) => shown?.started(look),
    cwd: input.workdir,
  });
  if (result.spilled !== undefined && call.config("security.redact_secrets") !== false)
    await maskSpill(result.spilled.path, redact).catch((cause: unknown) =>
      call.log.warning("The saved output of a command could not be masked and was removed.", { cause }),
    );
  if (result.endedBy === "lost") {
    throw new OutcomeUnknown(
      `The connection to the terminal backend was lost while the command ran (${result.reason ?? "unknown reason"}).`,
      { data: { output: output(result.output, ""), exit_code: -1, status: "unknown" } },
    );
  }
  if (/sudo: \d+ incorrect password attempt/.test(result.output)) sudo.forget(call.sessionId);
  const exitCode =
    result.endedBy === "exit"
      ? (result.exitCode ?? 0)
      : result.endedBy === "timeout"
        ? 124
        : result.endedBy === "cancelled"
          ? 130
          : statusOf(result.signal);
  const meaning = exitCodeMeaning(shape.last, exitCode);
  // Masked before plugins receive it; before escape sequences are removed, so that a plugin's changes are cleaned too.
  const text = await call.transform("transform_terminal_output", {
    value: redact(result.output),
    command: input.command,
    task_id: call.taskId,
    returncode: exitCode,
    env_type: backend,
  });
  const notes = terminal.notes?.() ?? [];
  return definedFields({
    output: output(
      text,
      shown?.stopped.aborted === true && result.endedBy === "cancelled"
        ? "[Stopped by the user]"
        : note(result, seconds),
    ),
    exit_code: exitCode,
    error: null,
    exit_code_meaning: meaning,
    notes: notes.length === 0 ? undefined : notes,
  });
}

/** The exit code with which a shell reports a signal. */
function statusOf(signal: string | undefined): number {
  return 128 + (constants.signals[signal as NodeJS.Signals] ?? constants.signals.SIGKILL);
}

/** Such a program would show nothing, end at once or wait until its timeout. */
export function refuseInteractive(shape: CommandShape): void {
  if (shape.interactive === undefined) return;
  throw new ToolFailure("bad_arguments", shape.interactive, {
    hint: "If you need that program, use background=true with pty=true and write to it with the process tool.",
    data: { output: "", exit_code: -1, status: "error" },
  });
}

/** If the file cannot be created, long output is truncated in the middle; the command still runs. */
async function spillInto(
  call: ToolContext,
): Promise<{ readonly spill?: { readonly path: string; readonly maxBytes: number } }> {
  const folder = await call.scratch().catch(() => undefined);
  return folder === undefined
    ? {}
    : { spill: { path: `${folder}/output-${randomHex(18)}.txt`, maxBytes: MAX_SPILL_BYTES } };
}

function note(result: { readonly endedBy: string; readonly signal?: string }, seconds: number): string {
  switch (result.endedBy) {
    case "timeout":
      return `[Command timed out after ${seconds}s]`;
    case "cancelled":
      return "[Command interrupted]";
    case "signal":
      return `[The shell was killed by ${result.signal ?? "a signal"}; a new one was started]`;
    default:
      return "";
  }
}

function output(text: string, note: string): string {
  const plain = plainText(text).replace(/^\s*\n/, "");
  return plain === "" || note === "" ? (plain + note).trimEnd() : `${plain}\n${note}`;
}

/** Reports the newest lines of a running command from time to time. */
function progress(call: ToolContext): Disposable & { output(text: string): void } {
  let newest = "";
  let timer: NodeJS.Timeout | undefined;
  const report = () => {
    timer = undefined;
    const lines = plainText(newest).trimEnd().split("\n").slice(-PROGRESS_LINES);
    const shown = lines.map((line) => line.slice(0, PROGRESS_COLUMNS)).join("\n");
    if (shown !== "") call.progress(shown);
  };
  return {
    output: (text) => {
      newest = (newest + text).slice(-PROGRESS_LINES * 1_000);
      timer ??= setTimeout(report, PROGRESS_MS);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

function configured(call: ToolContext, path: string, otherwise: number): number {
  const value = call.config(path);
  return typeof value === "number" && value > 0 ? value : otherwise;
}
