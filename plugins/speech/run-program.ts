import { spawn } from "node:child_process";
import type { ForeignWords } from "hermes-agent/plugin";

export interface ProgramEnd {
  /** Absent when it ended by itself with status 0. */
  readonly problem?: string;
  readonly out: string;
  /** The last that it printed, of a problem. */
  readonly printed: string;
  /** There is no such program. */
  readonly missing: boolean;
}

const MOST_OUTPUT = 1_000_000;
/** What has ended may have left somebody behind who holds its output open. */
const REST_MS = 200;
const PASSED = new Set(["PATH", "HOME", "LANG", "LANGUAGE", "TMPDIR", "TMP", "TEMP", "USER", "LOGNAME", "SHELL", "TZ"]);

/** What went wrong, with what the program printed. */
export function problemOf({ problem = "", printed }: ProgramEnd): string {
  return `${problem}${printed === "" ? "" : `: ${printed}`}`;
}

/** A program may print what a service told it: whose words those are nobody knows. */
export function printedBy({ printed }: ProgramEnd, source: string): ForeignWords | undefined {
  return printed === "" ? undefined : { source };
}

/** Runs a program without anybody's secrets in its environment. Its whole process group ends with its time, its caller, or itself. Never rejects. */
export function runProgram(program: string, args: readonly string[], { input = "", timeoutMs, signal, env: more }: { readonly input?: string; readonly timeoutMs: number; readonly signal?: AbortSignal; readonly env?: { readonly [name: string]: string } }): Promise<ProgramEnd> {
  const env = { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED.has(name) || name.startsWith("LC_") || name.startsWith("XDG_"))), ...more };
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "pipe"], detached: true });
    let [out, err] = ["", ""];
    let problem: string | undefined;
    let missing = false;
    const end = (why?: string): void => {
      problem ??= why;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // Nobody of its group is left.
      }
    };
    const late = setTimeout(() => end(`it did not end within ${timeoutMs / 1000} s`), timeoutMs);
    const stop = (): void => end("it was stopped");
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted === true) stop();
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text).length > MOST_OUTPUT && end("it printed more than a million characters"));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err = `${err}${text}`.slice(-4_000)));
    child.stdin.on("error", () => undefined); // It need not read what it is told.
    child.stdin.end(input);
    let over = false;
    const done = (): void => {
      if (over) return;
      over = true;
      clearTimeout(late);
      signal?.removeEventListener("abort", stop);
      end();
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      const words = [err, out].map((text) => text.trim()).find((text) => text !== "")?.slice(-500) ?? "";
      resolve({ out, missing, printed: words, ...(problem === undefined ? {} : { problem }) });
    };
    child.once("error", (cause: NodeJS.ErrnoException) => {
      missing = cause.code === "ENOENT";
      problem ??= missing ? `there is no program "${program}"` : cause.message;
      done();
    });
    child.once("exit", (code, by) => {
      if (code !== 0) problem ??= code === null ? `it was ended by ${by}` : `it ended with status ${code}`;
      setTimeout(done, REST_MS);
    });
    child.once("close", done);
  });
}
