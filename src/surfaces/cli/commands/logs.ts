import { UserError } from "../../../contract/common/failure.ts";
import type { LogLevel } from "../../../contract/common/logger.ts";
import type { Call } from "../program/call.ts";
import { EXIT } from "../../shared/process/exit-code.ts";

const LEVELS: readonly LogLevel[] = ["debug", "info", "warning", "error"];

export async function logs(
  { io, open }: Call,
  name: string | undefined,
  options: { readonly lines: string; readonly level?: string; readonly follow?: boolean; readonly json?: boolean },
): Promise<void> {
  const log = name ?? "agent";
  if (log !== "agent" && log !== "errors")
    throw new UserError(`There is no log "${log}".`, { hint: "The logs are agent and errors.", exitCode: EXIT.usage });
  const level = options.level === undefined ? undefined : levelOf(options.level);
  const lines = Number(options.lines);
  if (!Number.isInteger(lines) || lines < 0)
    throw new UserError(`--lines must be a whole number from 0, not "${options.lines}".`, { exitCode: EXIT.usage });
  let any = false;
  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  process.once("SIGINT", onInterrupt);
  try {
    for await (const line of (await open()).logs({
      name: log,
      lines,
      level,
      follow: options.follow ?? false,
      signal: stop.signal,
    })) {
      any = true;
      if (options.json) io.out(`${JSON.stringify(line)}\n`);
      else {
        const colour = line.level === "error" ? "red" : line.level === "warning" ? "yellow" : "dim";
        const { time, level: at, name: who, message, stack, ...detail } = line as typeof line & { stack?: unknown };
        const dim = (text: string): string => io.styleOut("dim", text);
        const frames =
          at === "error" ? framesOf(stack ?? (detail["cause"] as { stack?: unknown } | undefined)?.stack) : [];
        io.out(
          `${dim(time)} ${io.styleOut(colour, at.toUpperCase().padEnd(7))} ${who}: ${message}${detailsOf(message, detail, dim)}\n${frames.map((frame) => `${dim(`    ${frame}`)}\n`).join("")}`,
        );
      }
    }
    if (!any && !stop.signal.aborted)
      io.note(`The log "${log}" has no entries${level === undefined ? "" : ` of level ${level} or above`}.\n`);
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}

/** More frames are rarely of use; `--json` has them all. */
const MAX_FRAMES = 12;

/** The lines of an error's stack without its message, in Node's or Python's form. */
function framesOf(stack: unknown): readonly string[] {
  if (typeof stack !== "string") return [];
  const lines = stack.split("\n").filter((line) => line.trim() !== "");
  const first = lines.findIndex((line) => /^\s+(at|File) /.test(line));
  const frames = first < 0 ? [] : lines.slice(first).map((line) => line.replace(/^ {2,4}/, ""));
  return frames.length <= MAX_FRAMES ? frames : [...frames.slice(0, MAX_FRAMES), "…"];
}

/** The cause as text, unless the message has it, and other fields. */
function detailsOf(
  message: string,
  { cause, ...detail }: { readonly [key: string]: unknown },
  dim: (text: string) => string,
): string {
  const why =
    typeof cause === "object" && cause !== null && "error" in cause
      ? String(cause.error)
      : cause === undefined
        ? ""
        : JSON.stringify(cause);
  return `${message.includes(why) ? "" : ` ${why}`}${Object.keys(detail).length === 0 ? "" : ` ${dim(JSON.stringify(detail))}`}`;
}

/** `WARNING`, `warn` and `Warning` all mean `warning`. */
function levelOf(text: string): LogLevel {
  const level = LEVELS.find((each) => each.startsWith(text.toLowerCase()));
  if (level === undefined)
    throw new UserError(`"${text}" is not a level.`, {
      hint: `Levels are ${LEVELS.join(", ")}.`,
      exitCode: EXIT.usage,
    });
  return level;
}
