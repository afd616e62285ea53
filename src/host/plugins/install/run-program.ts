import { spawn } from "node:child_process";
import { UserError } from "../../../contract/common/failure.ts";
import { withoutLogin } from "../../../safety/text/visible.ts";

export interface ProgramRun {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  readonly signal: AbortSignal;
}

/** Some packages are gigabytes, and some connections slow; the user can stop it at any time. */
const LIMIT_MS = 1_800_000;
const MAX_OUTPUT = 200_000;
/** The part of npm's output after the reason: stacks and fields of errors. */
const NOISE = /^npm error( {2,}(at |\w+: )|$| \}| A complete log)/;

/**
 * Runs git, npm or Python and returns the output. Input is closed, so it cannot ask for anything.
 * @throws {UserError} with the end of the output without passwords of URLs, or that the program is missing.
 */
export async function runProgram(program: string, args: readonly string[], options: ProgramRun): Promise<string> {
  const timeout = AbortSignal.timeout(LIMIT_MS);
  const signal = AbortSignal.any([options.signal, timeout]);
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ["ignore", "pipe", "pipe"],
    signal,
    killSignal: "SIGKILL",
  });
  let out = "";
  let message = "";
  child.stdout.on("data", (text: Buffer) => void (out = (out + text.toString()).slice(-MAX_OUTPUT)));
  child.stderr.on("data", (text: Buffer) => void (message = (message + text.toString()).slice(-MAX_OUTPUT)));
  const status = await new Promise<number | Error>((resolve) => {
    child.on("error", resolve);
    child.on("close", (code) => resolve(code ?? -1));
  });
  if (status === 0) return out;
  const what =
    `${program.slice(program.lastIndexOf("/") + 1)} ${args.find((arg, at) => !arg.startsWith("-") && !/^-[cC]$/.test(args[at - 1] ?? "")) ?? ""}`.trim();
  if (options.signal.aborted) throw options.signal.reason;
  if (timeout.aborted) throw new UserError(`${what} did not finish within ${LIMIT_MS / 60_000} minutes.`);
  if (status instanceof Error)
    throw new UserError(
      (status as NodeJS.ErrnoException).code === "ENOENT"
        ? `${program} is not installed, but this command needs it.`
        : `Cannot start ${what}: ${status.message}`,
      { cause: status },
    );
  const last = (message.trim() || out.trim())
    .split("\n")
    .filter((line) => !NOISE.test(line))
    .slice(-6)
    .join("\n");
  throw new UserError(`${what} failed (status ${status}).\n${withoutLogin(last)}`);
}
