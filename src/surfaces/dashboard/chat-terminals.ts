import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { StringDecoder } from "node:string_decoder";
import { UserError } from "../../contract/common/failure.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { quoted } from "../../contract/common/quoted.ts";
import type { ScreenSize } from "../../contract/providers/terminal.ts";
import { pseudoTerminalCommand, RESIZE, resizeCall } from "../../terminal/program/pseudo-terminal.ts";
import { route, textIn, type Route } from "./route.ts";

/** How long a session may take to end before it is killed. */
const GRACE_MS = 10_000;

/** Messages to the terminal tab: first the terminal's id, then output, finally the exit code. */
type Report = { readonly id: string } | { readonly output: string } | { readonly ended: number | null };

/**
 * The terminal interface in the terminal tab: each tab has a `hermes` process under a pseudo-terminal. It lives as long as
 * the response that streams its output; when the tab closes, it gets SIGHUP like a session in a closed window.
 */
export class ChatTerminals implements AsyncDisposable {
  readonly #command: string;
  readonly #open = new Map<string, ChildProcess>();

  /** @param words The program and its arguments. */
  constructor(words: readonly string[]) {
    this.#command = `exec ${words.map(quoted).join(" ")}`;
  }

  get routes(): readonly Route[] {
    return [
      {
        at: "GET /api/chat",
        answer: ({ query, signal }) => ({
          kind: "lines",
          values: this.#run({ rows: Number(query.get("rows")), columns: Number(query.get("columns")) }, signal),
        }),
      },
      route(
        "POST /api/chat/:id/input",
        ({ params: [id = ""], body }) => void this.#find(id).stdin?.write(textIn(body, "text")),
      ),
      route("POST /api/chat/:id/size", async ({ params: [id = ""], body }) =>
        this.#resize(this.#find(id), sizeIn(body)),
      ),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open.values()].map(endOf));
  }

  async *#run(size: ScreenSize, signal: AbortSignal): AsyncGenerator<Report> {
    // Use a separate process group, so that Ctrl-C in the dashboard's terminal does not reach it.
    const child = spawn(
      "bash",
      ["--norc", "--noprofile", "-c", `exec 2>&1; ${pseudoTerminalCommand(this.#command, size)}`],
      {
        stdio: ["pipe", "pipe", "ignore"],
        detached: true,
        env: { ...process.env, TERM: "xterm-256color", COLORTERM: "truecolor" },
      },
    );
    const id = randomUUID();
    this.#open.set(id, child);
    const left = (): void => void endOf(child);
    signal.addEventListener("abort", left, { once: true });
    if (signal.aborted) left();
    child.stdin.on("error", () => {}); // Ignore input for a session that has ended.
    const closed = once(child, "close").catch(() => []);
    try {
      yield { id };
      const decoder = new StringDecoder("utf8");
      for await (const piece of child.stdout as AsyncIterable<Buffer>) yield { output: decoder.write(piece) };
      await closed;
      yield { ended: child.exitCode };
    } finally {
      signal.removeEventListener("abort", left);
      await endOf(child);
      this.#open.delete(id);
    }
  }

  #find(id: string): ChildProcess {
    const child = this.#open.get(id);
    if (child === undefined) throw new UserError("This chat has ended.", { hint: "Start a new chat." });
    return child;
  }

  async #resize({ pid }: ChildProcess, size: ScreenSize): Promise<void> {
    if (pid === undefined) return;
    await once(
      spawn("bash", ["--norc", "--noprofile", "-c", `${RESIZE}\n${resizeCall(pid, size)}`], { stdio: "ignore" }),
      "close",
    );
  }
}

function sizeIn({ rows, columns }: JsonObject): ScreenSize {
  if (typeof rows === "number" && typeof columns === "number") return { rows, columns };
  throw new UserError("A terminal size needs rows and columns.");
}

/** Sends SIGHUP, as when its window closes, and kills a process that does not end. */
async function endOf(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "exit");
  child.kill("SIGHUP");
  const late = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
  await closed;
  clearTimeout(late);
}
