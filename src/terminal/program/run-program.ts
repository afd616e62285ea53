import { spawn } from "node:child_process";

export interface ProgramRun {
  readonly program: string;
  readonly args: readonly string[];
  /** Default: the agent's own. */
  readonly cwd?: string;
  /** All that it gets. */
  readonly env: { readonly [name: string]: string };
  /** Standard input, whole. */
  readonly input?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with each line of either output. */
  line?(text: string): void;
}

export interface ProgramEnd {
  /** `null` where a signal ended it, or it never began. */
  readonly code: number | null;
  /** The signal that ended it. */
  readonly by?: NodeJS.Signals;
  /** Why it was stopped. */
  readonly endedBy?: "time" | "caller" | "output";
  /** Why it could not be started. */
  readonly missing?: string;
  readonly out: string;
  readonly err: string;
}

const MAX_OUT = 4_000_000;
const RETAINED_STDERR = 200_000;
const ASKED_MS = 3_000;
/** A process that the program left behind may hold its output open. */
const REST_MS = 200;

/** Runs a program to its end. Its whole process group ends with its time, its caller, or itself. Never rejects. */
export function runProgram({
  program,
  args,
  cwd,
  env,
  input = "",
  timeoutMs,
  signal,
  line,
}: ProgramRun): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    let [out, err] = ["", ""];
    let endedBy: ProgramEnd["endedBy"];
    let missing: string | undefined;
    let killing: NodeJS.Timeout | undefined;
    const send = (name: NodeJS.Signals): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, name);
      } catch {
        // The process group is empty.
      }
    };
    const end = (why: NonNullable<ProgramEnd["endedBy"]>): void => {
      if (endedBy !== undefined) return;
      endedBy = why;
      send("SIGTERM");
      killing = setTimeout(() => send("SIGKILL"), ASKED_MS);
    };
    const late = setTimeout(() => end("time"), timeoutMs);
    const stop = (): void => end("caller");
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted === true) stop();
    const message = lines(line);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      message(text);
      // It may print on while it is asked to end.
      if (out.length <= MAX_OUT) out += text;
      if (out.length > MAX_OUT) end("output");
    });
    const stderrText = lines(line);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderrText(text);
      err = `${err}${text}`.slice(-RETAINED_STDERR);
    });
    child.stdin.on("error", () => undefined); // The program may ignore its input.
    child.stdin.end(input);
    let over = false;
    const done = (code: number | null, by: NodeJS.Signals | null): void => {
      if (over) return;
      over = true;
      clearTimeout(late);
      clearTimeout(killing);
      signal?.removeEventListener("abort", stop);
      send("SIGKILL");
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      resolve({
        code,
        out,
        err,
        by: by ?? undefined,
        endedBy,
        missing,
      });
    };
    child.once("error", (cause: NodeJS.ErrnoException) => {
      missing = cause.code === "ENOENT" ? `there is no program "${program}"` : cause.message;
      done(null, null);
    });
    child.once("exit", (code, by) => setTimeout(() => done(code, by), REST_MS));
    child.once("close", done);
  });
}

/** Whole lines out of pieces; what never ends is no line. */
function lines(line: ((text: string) => void) | undefined): (text: string) => void {
  let rest = "";
  return (text) => {
    if (line === undefined) return;
    const all = `${rest}${text}`.split("\n");
    rest = (all.pop() ?? "").slice(-2_000);
    for (const one of all) line(one.trimEnd());
  };
}
