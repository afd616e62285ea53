import { fstatSync } from "node:fs";

/** How long a pipe may stay silent before it counts as one that somebody merely left open. */
const SILENCE_MS = 500;

/**
 * What is piped in, to its end. Where a question was given beside it (`waits` false), a terminal, `/dev/null` and a pipe on which nothing
 * comes count as no input: services start programs with such a stdin and never close it.
 */
export async function pipedInput(options: { readonly waits: boolean; note(text: string): void }): Promise<string | undefined> {
  const kind = kindOfInput();
  if (kind === "none" && !options.waits) return undefined;
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<"ended" | "silent">();
  const timer = options.waits || kind === "file" ? undefined : setTimeout(() => resolve("silent"), SILENCE_MS);
  process.stdin.on("data", (chunk: Buffer) => {
    clearTimeout(timer);
    chunks.push(chunk);
  });
  process.stdin.once("end", () => resolve("ended"));
  process.stdin.once("error", () => resolve("ended"));
  const how = await promise;
  clearTimeout(timer);
  if (how === "silent") {
    process.stdin.destroy();
    options.note("Nothing came on stdin, so the question stands alone. With `-q -` the question is read from it.\n");
    return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function kindOfInput(): "file" | "pipe" | "none" {
  try {
    const stat = fstatSync(0);
    return stat.isFile() ? "file" : stat.isFIFO() || stat.isSocket() ? "pipe" : "none";
  } catch {
    return "none"; // stdin is closed
  }
}
