import {
  definedFields,
  OutcomeUnknown,
  ToolFailure,
  type JsonObject,
  type Process,
  type Terminal,
  type ToolContext,
} from "hermes-agent/plugin";
import { plainText, randomHex } from "hermes-agent/terminal";
import { RUNNER, runnerCommand } from "./runner-script.ts";
import { sandboxTools, type SandboxTool } from "./sandbox-tools.ts";
import { ScriptCalls } from "./script-calls.ts";
import { listenToRunner, type ScriptEnd, type RetainedStream } from "./script-channel.ts";
import { settingsOf, type Settings } from "./settings.ts";
import { MAX_CALL_BYTES, toolsModule, WAYS } from "./tools-module.ts";

const MAX_OUT_BYTES = 50_000;
const MAX_ERR_BYTES = 10_000;
/** How long the runner may take to stop the script and report its output. */
const STOP_MS = 3_500;
const GRACE_SECONDS = 1.5;
/** A stopped turn does not wait longer for its calls. */
const CANCEL_MS = 150;

type Why = "timeout" | "interrupted" | "refused" | "broken";

/** Runs a script in the task's terminal environment, serves its tool calls, and returns its output. */
export async function executeCode(
  code: string,
  call: ToolContext,
  redact: (text: string) => string,
): Promise<JsonObject> {
  if (code.trim() === "") throw new ToolFailure("bad_arguments", "code is empty.", { data: NOTHING });
  const settings = settingsOf((path) => call.config(path));
  const startedAt = performance.now();
  const backend = await call.use("terminal");
  const terminal = await backend.open(
    {
      key: call.taskId,
      cwd: backend.elsewhere === true ? undefined : call.cwd,
      onProgress: (words) => call.progress(words),
    },
    call.signal,
  );
  const tools = sandboxTools(await call.offered());
  const script = new RunningScript(
    await terminal.spawn(runnerCommand(settings.mode), { maxOutputBytes: 4_000, ...directoryOf(terminal) }),
    call,
    tools,
    settings,
  );
  const { end, why, raw } = await script.run(code);
  const message = {
    tool_calls_made: script.calls.made,
    duration_seconds: Math.round((performance.now() - startedAt) / 10) / 100,
  };
  if (end === undefined && why === undefined) {
    if (raw === "lost")
      throw new OutcomeUnknown("The connection to the terminal backend was lost while the script ran.", {
        data: { ...NOTHING, ...message, status: "unknown" },
      });
    throw new ToolFailure(
      "unavailable",
      `Cannot run the script in ${backend.label ?? backend.id}: ${redact(plainText(raw)).trim().slice(-500) || "python3 exited at once"}.`,
      {
        hint: "execute_code needs python3 3.7 or later in the terminal's environment.",
        data: { ...NOTHING, ...message },
      },
    );
  }
  return { ...resultOf(end, why, settings, redact), ...message };
}

const NOTHING = { status: "error", output: "", tool_calls_made: 0, duration_seconds: 0 } as const;

function directoryOf(terminal: Terminal): { readonly cwd?: string } {
  return terminal.cwd === "" ? {} : { cwd: terminal.cwd };
}

/** A running script, from its start until its last process has ended. */
class RunningScript {
  readonly calls: ScriptCalls;
  readonly #process: Process;
  readonly #call: ToolContext;
  readonly #settings: Settings;
  readonly #end = Promise.withResolvers<ScriptEnd | undefined>();
  #why: Why | undefined;

  constructor(process: Process, call: ToolContext, tools: readonly SandboxTool[], settings: Settings) {
    this.#process = process;
    this.#call = call;
    this.#settings = settings;
    this.calls = new ScriptCalls(
      call,
      tools,
      settings.maxCalls,
      (line) => this.#say(`A${line}\n`),
      () => this.#stop("refused", STOP_MS),
    );
  }

  /**
   * @returns `end`: the runner's report. Without it and without a reason of ours, the script never ran; `raw` is the
   * output instead.
   */
  async run(
    code: string,
  ): Promise<{ readonly end: ScriptEnd | undefined; readonly why: Why | undefined; readonly raw: string }> {
    const { signal } = this.#call;
    const word = randomHex(18);
    let begun = false;
    using _listening = listenToRunner(this.#process, word, {
      call: (line) => this.calls.take(line),
      progress: (text) => this.#progress(text),
      end: (end) => this.#end.resolve(end),
      begun: () => (begun = true),
    });
    let lost = false;
    void this.#process.ended.then(({ endedBy }) => {
      lost = endedBy === "lost";
      this.#end.resolve(undefined);
    });
    const abort = () =>
      this.#stop(
        signal.reason instanceof ToolFailure && signal.reason.code === "timeout" ? "timeout" : "interrupted",
        signal.reason instanceof ToolFailure ? STOP_MS : CANCEL_MS,
      );
    signal.addEventListener("abort", abort, { once: true });
    try {
      const start = {
        word,
        code,
        module: toolsModule(this.calls.tools),
        ways: WAYS,
        strict: this.#settings.mode === "strict",
        most_out: MAX_OUT_BYTES,
        most_err: MAX_ERR_BYTES,
        most_call_bytes: MAX_CALL_BYTES,
        grace: GRACE_SECONDS,
      };
      this.#say(`${Buffer.byteLength(RUNNER)}\n${RUNNER}${JSON.stringify(start)}\n`);
      if (signal.aborted) abort();
      const end = await this.#end.promise;
      const calls = this.calls.end();
      // Processes that the script left behind, in any session and group, end with it.
      const killed = this.#process
        .kill()
        .catch((cause: unknown) =>
          this.#call.log.warning("Cannot stop the processes that a script left behind.", { cause }),
        );
      if (this.#why !== "interrupted") await Promise.all([calls, killed]);
      return {
        end,
        why: this.#why ?? (end === undefined && begun && !lost ? "broken" : undefined),
        raw: lost ? "lost" : this.#process.output().text,
      };
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** The first reason to stop counts. Waits only briefly for the output. */
  #stop(why: Why, withinMs: number): void {
    if (this.#why !== undefined) return;
    this.#why = why;
    this.#say("S\n");
    setTimeout(() => this.#end.resolve(undefined), withinMs).unref();
  }

  #say(text: string): void {
    // The end of the process reports a lost runner.
    this.#process.write(text).catch(() => undefined);
  }

  #progress(text: string): void {
    const line = plainText(text).trimEnd().split("\n").at(-1)?.slice(0, 200) ?? "";
    if (line !== "") this.#call.progress(line);
  }
}

function resultOf(
  end: ScriptEnd | undefined,
  why: Why | undefined,
  { seconds }: Settings,
  redact: (text: string) => string,
): JsonObject {
  const { out, err, code } = end ?? { out: NOTHING_RETAINED, err: NOTHING_RETAINED, code: -9 };
  const text = (saved: RetainedStream) =>
    redact(
      plainText(
        saved.omitted === 0
          ? saved.head
          : `${saved.head}\n\n[OUTPUT TRUNCATED - ${saved.omitted} bytes omitted out of ${saved.total} total]\n\n${saved.tail}`,
      ),
    );
  const status =
    why === "timeout"
      ? "timeout"
      : why === "interrupted"
        ? "interrupted"
        : code === 0 && why === undefined
          ? "success"
          : "error";
  const output = text(out);
  const complaint = status === "success" ? "" : text(err).trimEnd();
  const error =
    why === undefined
      ? failureOf(code, complaint)
      : {
          timeout: `The script was stopped after ${seconds} s.`,
          interrupted: "The script was interrupted.",
          refused: "The script was stopped: it repeatedly made calls that are not allowed.",
          broken: "The script's runner was killed before it could report the output.",
        }[why];
  return definedFields({
    status,
    output:
      complaint === ""
        ? output
        : `${output}${output === "" || output.endsWith("\n") ? "" : "\n"}--- stderr ---\n${complaint}\n`,
    exit_code: why === "timeout" ? 124 : why === "interrupted" ? 130 : code < 0 ? 128 - code : code,
    stdout_truncated: out.omitted > 0,
    stdout_bytes_captured: out.total - out.omitted,
    stdout_bytes_total: out.total,
    stdout_bytes_omitted: out.omitted,
    warning:
      out.omitted === 0
        ? undefined
        : `${out.omitted} of ${out.total} bytes of output, in the middle, are omitted. Print less, or write to a file and read it.`,
    error,
  });
}

const NOTHING_RETAINED: RetainedStream = { head: "", tail: "", total: 0, omitted: 0 };

/** The exception or exit status that ended it; the output has the full traceback. */
function failureOf(code: number, complaint: string): string | undefined {
  if (code === 0) return undefined;
  const last = complaint.split("\n").at(-1) ?? "";
  if (
    /^[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Warning)?\b/.test(last) &&
    complaint.includes("Traceback (most recent call last)")
  )
    return last.slice(0, 500);
  return code < 0 ? `The script was killed by signal ${-code}.` : `Script exited with code ${code}`;
}
