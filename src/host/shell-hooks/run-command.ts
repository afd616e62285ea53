import { spawn } from "node:child_process";

export interface CommandRun {
  /** `failed`: it could not be started, or was ended; `reason` says why. */
  readonly endedBy: "exit" | "failed";
  readonly reason?: string;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

export interface RunOptions {
  readonly env: { readonly [name: string]: string };
  readonly input: string;
  readonly timeoutMs: number;
  /** Ends it and all it started. */
  readonly signal?: AbortSignal;
}

const MAX_OUTPUT = 1_000_000;
/** Processes left by an ended program may keep its output open; this limits the wait for the program's own output. */
const REST_MS = 50;

/** Runs a program with a text on its standard input. Never rejects. Its whole process group ends with its time. */
export function runCommand(program: string, args: readonly string[], options: RunOptions): Promise<CommandRun> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...options.env },
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
    });
    const texts = { stdout: "", stderr: "" };
    let failure: string | undefined;
    const end = (reason: string): void => {
      failure ??= reason;
      try {
        if (process.platform !== "win32" && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        else child.kill("SIGKILL");
      } catch {
        // It is gone already.
      }
    };
    const late = setTimeout(() => end(`did not answer within ${options.timeoutMs / 1000} s`), options.timeoutMs);
    const stop = (): void => end("was cancelled");
    options.signal?.addEventListener("abort", stop);
    const done = (exitCode: number | null): void => {
      clearTimeout(late);
      options.signal?.removeEventListener("abort", stop);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({
        endedBy: failure === undefined ? "exit" : "failed",
        reason: failure,
        exitCode,
        ...texts,
        durationMs: Math.round(performance.now() - startedAt),
      });
    };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        texts[name] += text;
        if (texts[name].length > MAX_OUTPUT) end("wrote more than a million characters");
      });
    }
    child.stdin.on("error", () => {}); // The program need not read its input.
    child.once("error", (cause: NodeJS.ErrnoException) => {
      failure ??=
        cause.code === "ENOENT"
          ? `cannot be started: the program ${program} was not found`
          : `cannot be started: ${cause.message}`;
      done(null);
    });
    let closed = false;
    child.once("close", () => (closed = true));
    child.once("exit", (code, signal) => {
      if (code === null) failure ??= `was killed by ${signal}`;
      if (closed) return done(code);
      const rest = setTimeout(() => done(code), REST_MS);
      child.once("close", () => {
        clearTimeout(rest);
        done(code);
      });
    });
    child.stdin.end(options.input);
  });
}
