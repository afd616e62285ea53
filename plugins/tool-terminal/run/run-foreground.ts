import { constants } from "node:os";
import { definedFields, OutcomeUnknown, ToolFailure, type Terminal, type ToolContext } from "hermes-agent/plugin";
import { randomHex } from "hermes-agent/terminal";
import type { CommandShape } from "./command-shape.ts";
import { exitCodeMeaning } from "./exit-code-meaning.ts";
import type { ForegroundCommand } from "./foreground-commands.ts";
import { plainText } from "hermes-agent/terminal";
import { giveVariables, hasSecrets } from "./secret-environment.ts";
import type { Sudo } from "./sudo.ts";
import type { TerminalInput } from "./terminal-input.ts";

const PROGRESS_MS = 200;
/** Of output too long to be shown, at most this much is kept in a file. */
const MAX_SPILL_BYTES = 64_000_000;

interface ForegroundRun {
  readonly beside: boolean;
  readonly shape: CommandShape;
  /** Id of the backend. */
  readonly backend: string;
  readonly sudo: Sudo;
  redact(text: string): string;
  /** How others see it meanwhile, where this machine's processes do not tell. */
  readonly shown: ForegroundCommand | undefined;
}

/** Runs one command to its end. A status other than 0 is an answer, not an error. */
export async function runForeground(
  input: TerminalInput,
  call: ToolContext,
  terminal: Terminal,
  { beside, shape, backend, sudo, redact, shown }: ForegroundRun,
) {
  const limit = configured(call, "terminal.max_foreground_timeout", 600);
  const seconds = input.timeout || Math.min(limit, configured(call, "terminal.timeout", 180));
  if (seconds < 0)
    throw new ToolFailure("bad_arguments", `timeout is a number of seconds, not ${seconds}.`, {
      data: { output: "", exit_code: -1, status: "error" },
    });
  if (seconds > limit) {
    throw new ToolFailure(
      "bad_arguments",
      `A foreground command may take at most ${limit} s, not ${seconds}. Use background=true with notify_on_complete=true.`,
    );
  }
  if (shape.background !== undefined) {
    throw new ToolFailure("bad_arguments", `This belongs in the background: ${shape.background}.`, {
      hint: "Use background=true, without &, nohup or setsid, then look at it with the process tool.",
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
    // In a copy of the shell, which keeps none of them.
    beside: beside || given !== undefined,
    // What is put aside is put aside as it is, and a command with secrets may have written them.
    ...(given === undefined ? await spillInto(call) : {}),
    onOutput: (text) => {
      shown?.output(text);
      telling.output(text);
    },
    onProgress: (words) => call.progress(words),
    onStarted: (look) => shown?.started(look),
    cwd: input.workdir,
  });
  if (result.endedBy === "lost") {
    throw new OutcomeUnknown(
      `The connection to the command's place was lost while it ran (${result.reason ?? "no more is known"}).`,
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
  // Before escape sequences are taken out: what a plugin leaves is cleaned like what the command wrote.
  const text = await call.transform("transform_terminal_output", {
    value: given === undefined ? result.output : redact(result.output),
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
        ? "[Stopped by the person]"
        : note(result, seconds),
    ),
    exit_code: exitCode,
    error: null,
    exit_code_meaning: meaning,
    notes: notes.length === 0 ? undefined : notes,
  });
}

/** As a shell tells it that a signal ended its command. */
function statusOf(signal: string | undefined): number {
  return 128 + (constants.signals[signal as NodeJS.Signals] ?? constants.signals.SIGKILL);
}

/** It would show nothing, end at once or wait until its time is over. */
export function refuseInteractive(shape: CommandShape): void {
  if (shape.interactive === undefined) return;
  throw new ToolFailure("bad_arguments", shape.interactive, {
    hint: "If it must be that program: background=true with pty=true, then the process tool types into it.",
    data: { output: "", exit_code: -1, status: "error" },
  });
}

/** Where there is no room for it, a long output has its two ends, and the command runs all the same. */
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
      return `[The shell was ended by ${result.signal ?? "a signal"}; a new one goes on from here]`;
    default:
      return "";
  }
}

function output(text: string, note: string): string {
  const plain = plainText(text).replace(/^\s*\n/, "");
  return plain === "" || note === "" ? (plain + note).trimEnd() : `${plain}\n${note}`;
}

/** Tells the newest line, now and then, of a command that goes on after it. */
function progress(call: ToolContext): Disposable & { output(text: string): void } {
  let newest = "";
  let timer: NodeJS.Timeout | undefined;
  const report = () => {
    timer = undefined;
    const line = plainText(newest.slice(-1_000)).trimEnd().split("\n").at(-1)?.slice(0, 200);
    if (line) call.progress(line);
  };
  return {
    output: (text) => {
      newest = text;
      timer ??= setTimeout(report, PROGRESS_MS);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

function configured(call: ToolContext, path: string, otherwise: number): number {
  const value = call.config(path);
  return typeof value === "number" && value > 0 ? value : otherwise;
}
