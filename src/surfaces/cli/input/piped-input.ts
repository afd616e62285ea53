import { fstatSync } from "node:fs";

/**
 * How long an input may stay silent before Hermes ignores it. A silent socket usually belongs to a service, a pipe to
 * a shell.
 */
const SILENCE_MS = { socket: 500, pipe: 10_000 } as const;
const REPORT_MS = 1_000;

/**
 * Reads the piped input to its end. With `waits` false (a question was also given), ignores a terminal, `/dev/null`
 * and a silent input: services start programs with a stdin that they never close.
 */
export async function pipedInput(options: {
  readonly waits: boolean;
  note(text: string): void;
}): Promise<string | undefined> {
  const kind = kindOfInput();
  if (kind === "none" && !options.waits) return undefined;
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<"ended" | "silent">();
  const patient = options.waits || kind === "file" || kind === "none";
  // On a busy machine, bytes may be waiting when the timer fires; read them first.
  const silent = (): unknown => setImmediate(() => chunks.length === 0 && resolve("silent"));
  const timers: NodeJS.Timeout[] = patient ? [] : [setTimeout(silent, SILENCE_MS[kind])];
  if (kind === "pipe" && !patient)
    timers.push(
      setTimeout(() => options.note("Waiting for piped input. (Add `< /dev/null` to ask without it.)\n"), REPORT_MS),
    );
  const quiet = (): void => timers.forEach(clearTimeout);
  process.stdin.on("data", (chunk: Buffer) => {
    quiet();
    chunks.push(chunk);
  });
  process.stdin.once("end", () => resolve("ended"));
  process.stdin.once("error", () => resolve("ended"));
  const how = await promise;
  quiet();
  if (how === "silent") {
    process.stdin.destroy();
    options.note("No input arrived on stdin; continuing without it. `-q -` reads the question from stdin.\n");
    return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function kindOfInput(): "file" | "pipe" | "socket" | "none" {
  try {
    const stat = fstatSync(0);
    return stat.isFile() ? "file" : stat.isFIFO() ? "pipe" : stat.isSocket() ? "socket" : "none";
  } catch {
    return "none"; // stdin is closed
  }
}
