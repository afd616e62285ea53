import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { pseudoTerminalCommand } from "../src/terminal/program/pseudo-terminal.ts";
import { atMost, median, ms, quantile, type Figure } from "./figures.ts";
import { configure, environment, freshHome } from "./start.ts";

const SIZE = { rows: 40, columns: 100 };
const READY = "Ctrl-D exits";
/** The model streams none of this letter, so each one on the screen was typed. */
const TYPED = "Q";
const TOKENS_PER_SECOND = 200;
const CHARACTERS_PER_TOKEN = 4;
const LONG_TOKENS = 27_000;
const KEYS = 60;
const BETWEEN_KEYS_MS = 100;
const CPU_SECONDS = 8;
/** As Linux counts CPU time in /proc, per second. */
const TICKS = 100;

/**
 * The interactive screen while an answer streams: from a key to the screen that shows it, and CPU time; in a fresh
 * session and below a long answer. And the time from the start to the prompt.
 */
export async function screenFigures(hermes: string, rounds: number): Promise<readonly Figure[]> {
  if (spawnSync("python3", ["--version"]).status !== 0)
    return [{ name: "screen", value: "skipped: python3 makes the terminal, and is missing", limit: "", ok: true }];
  await using server = await streamingServer();
  const home = freshHome();
  configure(home, server.url);
  try {
    const starts: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await using screen = await Screen.open(hermes, home);
      starts.push(screen.startMs);
    }
    const fresh = await streamed(hermes, home, server, false);
    const long = await streamed(hermes, home, server, true);
    return [
      { name: `start → prompt, p50 of ${rounds}`, value: ms(median(starts)), limit: "", ok: true },
      ...figuresOf("a key → the screen, 200 tokens/s", fresh),
      ...figuresOf(`the same below ${LONG_TOKENS} tokens`, long),
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

interface Measured {
  readonly keysMs: readonly number[];
  /** Share of one core. */
  readonly cpu: number | undefined;
}

function figuresOf(name: string, { keysMs, cpu }: Measured): readonly Figure[] {
  const share = (value: number): string => `${(value * 100).toFixed(1)} %`;
  return [
    atMost(`${name}, p90 of ${keysMs.length}`, quantile(keysMs, 0.9), 10, ms),
    { name: `${name}, p50`, value: ms(median(keysMs)), limit: "", ok: true },
    ...(cpu === undefined ? [] : [atMost(`${name}: CPU`, cpu, 0.15, share)]),
  ];
}

async function streamed(hermes: string, home: string, server: StreamingServer, long: boolean): Promise<Measured> {
  await using screen = await Screen.open(hermes, home);
  if (long) {
    server.next = { text: answerOf(LONG_TOKENS), tokensPerSecond: Infinity };
    await screen.say("long");
    await screen.until(END);
  }
  server.next = { text: answerOf(60 * TOKENS_PER_SECOND), tokensPerSecond: TOKENS_PER_SECOND };
  await screen.say("stream");
  await screen.until("Section 0");
  await sleep(1_000);
  const before = screen.cpuSeconds();
  await sleep(CPU_SECONDS * 1_000);
  const after = screen.cpuSeconds();
  const cpu = before === undefined || after === undefined ? undefined : (after - before) / CPU_SECONDS;
  const keysMs: number[] = [];
  for (let key = 1; key <= KEYS; key++) {
    keysMs.push(await screen.type(TYPED, TYPED.repeat(key)));
    await sleep(BETWEEN_KEYS_MS);
  }
  return { keysMs, cpu };
}

const END = "All sections are written.";

/** Markdown as models write it: headings, paragraphs, lists, code, tables. */
function answerOf(tokens: number): string {
  let text = "";
  for (let section = 0; text.length < tokens * CHARACTERS_PER_TOKEN; section++)
    text += `## Section ${section}

The **parser** reads \`input.ts\` once, and each block of the text is laid out when it is complete. It costs the
same at the end of a long answer as at its beginning, see [the guide](https://example.org/guide).

- one item of a list with some *words* in it
- another item, with \`code\` and a longer sentence that has to wrap somewhere near the end of the line
  - nested below it

\`\`\`ts
export function section${section}(a: number, b: number): number {
  // Adds both and returns the sum.
  return a + b + ${section};
}
\`\`\`

| name | count | text |
|:-----|------:|------|
| first | ${section} | some words |
| second | ${section * 7} | other words |

`;
  return `${text}\n${END}\n`;
}

/** `hermes` in a pseudo-terminal. */
class Screen implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Set<() => void>();
  #output = "";
  startMs = 0;

  private constructor(hermes: string, home: string) {
    const command = pseudoTerminalCommand(`exec '${process.execPath}' '${hermes}'`, SIZE);
    this.#child = spawn("bash", ["-c", command], {
      env: { ...environment(home), TERM: "xterm-256color", COLORTERM: "truecolor" },
      cwd: home,
    });
    this.#child.stdout.on("data", (data: Buffer) => {
      this.#output += data.toString();
      for (const wake of this.#waiting) wake();
    });
  }

  static async open(hermes: string, home: string): Promise<Screen> {
    const started = performance.now();
    const screen = new Screen(hermes, home);
    await screen.until(READY);
    screen.startMs = performance.now() - started;
    return screen;
  }

  /** Waits for output that contains the text, and forgets what came before. */
  async until(text: string): Promise<void> {
    const deadline = performance.now() + 120_000;
    while (!this.#output.includes(text)) {
      if (performance.now() > deadline)
        throw new Error(`The screen never showed ${text}:\n${this.#output.slice(-2000)}`);
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
        setTimeout(wake, 1_000).unref();
      });
    }
    this.#output = "";
  }

  async say(text: string): Promise<void> {
    this.#child.stdin.write(text);
    await this.until(text);
    await sleep(200); // Text and Enter in one burst would be a paste.
    this.#child.stdin.write("\r");
  }

  /** @returns The time until the screen shows the text, in ms. */
  async type(key: string, shown: string): Promise<number> {
    this.#output = "";
    const at = performance.now();
    this.#child.stdin.write(key);
    await this.until(shown);
    return performance.now() - at;
  }

  /** CPU time of `hermes` so far; `undefined` where the system does not tell it through /proc. */
  cpuSeconds(): number | undefined {
    const pid = spawnSync("ps", ["-o", "pid=", "--ppid", String(this.#child.pid)], { encoding: "utf8" }).stdout.trim();
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
      return (Number(fields[11]) + Number(fields[12])) / TICKS;
    } catch {
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.kill("SIGTERM");
    await ended;
  }
}

interface StreamingServer extends AsyncDisposable {
  readonly url: string;
  /** The answer to the next request. */
  next: { readonly text: string; readonly tokensPerSecond: number };
}

async function streamingServer(): Promise<StreamingServer> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      if (!request.url?.endsWith("/chat/completions")) return void response.writeHead(404).end("{}");
      response.writeHead(200, { "content-type": "text/event-stream" });
      void stream(response, state.next.text, state.next.tokensPerSecond);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const state: StreamingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    next: { text: "ok", tokensPerSecond: Infinity },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
  return state;
}

async function stream(response: ServerResponse, text: string, tokensPerSecond: number): Promise<void> {
  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "bench", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  response.write(chunk({ role: "assistant", content: "" }, null));
  const started = performance.now();
  for (let sent = 0; sent < text.length && !response.destroyed; sent += CHARACTERS_PER_TOKEN) {
    response.write(chunk({ content: text.slice(sent, sent + CHARACTERS_PER_TOKEN) }, null));
    const due = started + (sent / CHARACTERS_PER_TOKEN / tokensPerSecond) * 1_000;
    if (due > performance.now() + 2) await sleep(due - performance.now());
    else if (sent % 4_000 === 0) await sleep(0);
  }
  response.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
}
