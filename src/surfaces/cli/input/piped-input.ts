import { fstatSync } from "node:fs";

/** How long an input may stay silent before it counts as one that somebody merely left open: a socket is a service's, a pipe is mostly a shell's. */
const SILENCE_MS = { socket: 500, pipe: 10_000 } as const;
const REPORT_MS = 1_000;

/**
 * What is piped in, to its end. Where a question was given beside it (`waits` false), a terminal, `/dev/null` and an input on which nothing
 * comes count as none: services start programs with such a stdin and never close it.
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
  // On a busy machine bytes wait to be read when the time is over.
  const silent = (): unknown => setImmediate(() => chunks.length === 0 && resolve("silent"));
  const timers: NodeJS.Timeout[] = patient ? [] : [setTimeout(silent, SILENCE_MS[kind])];
  if (kind === "pipe" && !patient)
    timers.push(
      setTimeout(() => options.note("Waiting for what is piped in. (`< /dev/null` asks without it.)\n"), REPORT_MS),
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
    options.note("Nothing came on stdin, so the question stands alone. With `-q -` the question is read from it.\n");
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
