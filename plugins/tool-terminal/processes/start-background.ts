import {
  definedFields,
  TerminalUnavailable,
  ToolFailure,
  type Process,
  type SpawnOptions,
  type Terminal,
  type ToolContext,
} from "hermes-agent/plugin";
import { disabledNotice, endNotice, matchNotice } from "./notice.ts";
import { environmentPorts } from "./listening-ports.ts";
import type { ProcessRegistry } from "./process-registry.ts";
import type { TrackedProcess } from "./tracked-process.ts";
import { giveVariables, hasSecrets } from "../run/secret-environment.ts";
import type { Sudo } from "../run/sudo.ts";
import type { TerminalInput } from "../run/terminal-input.ts";
import { refuseInteractive } from "../run/run-foreground.ts";
import { followScreen, screenSize } from "../run/screen-size.ts";
import type { CommandAssessment } from "../run/command-assessment.ts";
import { EventBreaker, watchOutput } from "./watch-output.ts";

const breaker = new EventBreaker(() => performance.now());

/** Starts a command in the background and returns its handle at once. */
export async function startBackground(
  input: TerminalInput,
  call: ToolContext,
  { terminal, backend, here }: { readonly terminal: Terminal; readonly backend: string; readonly here: boolean },
  registry: ProcessRegistry,
  sudo: Sudo,
  { shape, ...assessment }: CommandAssessment,
) {
  const untrusted = typeof assessment.untrusted === "object" ? assessment.untrusted : undefined;
  if (registry.full)
    throw new ToolFailure("blocked", "The limit of 64 background processes is reached.", {
      hint: "Stop some with the process tool (action kill) first.",
      data: { output: "", exit_code: -1, status: "error" },
    });
  const notify = input.notify_on_complete === true;
  const patterns = (input.watch_patterns ?? []).filter((pattern) => pattern !== "");
  const watched = notify ? [] : patterns;
  if (input.pty !== true) refuseInteractive(shape);
  const answered = await sudo.answered(input.command, shape, call, terminal, backend);
  const { id, ...files } = registry.next();
  const given = hasSecrets(input.env) ? await giveVariables(input.env, terminal) : undefined;
  const { process, ptyNote } = await spawn(
    { ...input, command: `${given?.take ?? ""}${answered.command}` },
    terminal,
    files,
  );
  void process.ended.then(() => Promise.all([answered[Symbol.asyncDispose](), given?.[Symbol.asyncDispose]()]));
  const entry = registry.add(process, {
    id,
    command: input.command,
    cwd: input.workdir ?? terminal.cwd,
    taskId: call.taskId,
    sessionId: call.sessionId,
    backend,
    here,
    notifyOnComplete: notify,
    report: (ended) => call.notify(endNotice(ended), untrusted),
    untrusted: untrusted ?? null,
    watchPatterns: watched,
    secrets: given !== undefined,
    lookForPorts: here || process.pid === undefined ? undefined : () => environmentPorts(terminal, [process.pid!]),
  });
  if (watched.length > 0)
    watch(
      entry,
      (text) =>
        void call
          .notify(text, untrusted)
          .catch((cause: unknown) => call.log.warning("Cannot deliver a notice of a background process.", { cause })),
    );
  return definedFields({
    output: "Background process started",
    session_id: entry.id,
    pid: process.pid ?? null,
    exit_code: 0,
    error: null,
    pty_note: ptyNote,
    notify_on_complete: notify ? true : undefined,
    watch_patterns: watched.length > 0 ? watched : undefined,
    watch_patterns_ignored: notify && patterns.length > 0 ? "Ignored, because notify_on_complete is set." : undefined,
    hint:
      notify || watched.length > 0
        ? undefined
        : "You are not notified when it ends. Use notify_on_complete=true for a job that ends, or check with the process tool.",
  });
}

async function spawn(
  input: TerminalInput,
  terminal: Terminal,
  files: Pick<SpawnOptions, "exitFile">,
): Promise<{ process: Process; ptyNote?: string }> {
  const options = { ...files, ...definedFields({ cwd: input.workdir }) };
  if (input.pty !== true) return { process: await terminal.spawn(input.command, options) };
  try {
    const size = screenSize();
    const process = await terminal.spawn(input.command, {
      ...options,
      pty: true,
      size,
    });
    followScreen(process);
    return { process };
  } catch (error) {
    if (!(error instanceof TerminalUnavailable)) throw error;
    return {
      process: await terminal.spawn(input.command, options),
      ptyNote: `Runs without a pseudo-terminal: ${error.message}`,
    };
  }
}

function watch(entry: TrackedProcess, report: (text: string) => void): void {
  const passed = (text: string) => {
    const message = breaker.pass(text);
    if (message !== undefined) report(message);
  };
  const see = watchOutput(entry.watchPatterns, {
    now: () => performance.now(),
    match(pattern, lines, suppressed) {
      entry.watchHit = pattern;
      passed(matchNotice(entry, pattern, lines, suppressed));
    },
    disabled() {
      entry.notifyOnComplete = true;
      passed(disabledNotice(entry));
    },
  });
  const written = entry.process.output().text;
  entry.process.onOutput(see);
  if (written !== "") see(written);
}
