import { spawn, type ChildProcess } from "node:child_process";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { StdioPlace } from "./server-entry.ts";

export interface StdioPorts {
  readonly env: { readonly [name: string]: string };
  readonly home: string;
  /** Told what the server prints beside the wire. */
  printed(text: string): void;
}

/** One message, or all that comes in answer to one. */
const MOST_BYTES = 64_000_000;
const GRACE_MS = 800;

/**
 * The server leads a process group of its own. Beside it, in that group, waits a watcher on descriptor 3, which closes when the agent ends,
 * however that ends; then the whole group ends. The server itself takes the place of the shell that set this up.
 */
const SCRIPT = `
group=$$
( exec </dev/null >/dev/null 2>/dev/null; read -r _ <&3; sleep 1; kill -9 -"$group" ) &
exec 3<&-
exec "$@"
`;

/** A server that speaks over its standard streams, a message a line. It ends with the agent, and takes along what it has started. */
export class StdioTransport implements Transport {
  readonly #place: StdioPlace;
  readonly #ports: StdioPorts;
  readonly #ended = Promise.withResolvers<void>();
  #child: ChildProcess | undefined;
  #rest: Buffer[] = [];
  #restBytes = 0;
  #sinceSent = 0;
  #reason: string | undefined;
  #lastWords = "";
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];

  constructor(place: StdioPlace, ports: StdioPorts) {
    this.#place = place;
    this.#ports = ports;
  }

  /** Why it ended, in words, with the last that it printed; `undefined` while it runs. */
  get end(): string | undefined {
    if (this.#reason === undefined) return undefined;
    const words = this.#lastWords.trim().split("\n").at(-1)?.slice(-300) ?? "";
    return `${this.#reason}${words === "" ? "" : ` (${words})`}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): Promise<void> {
    const { command, args, cwd } = this.#place;
    const child = spawn("/bin/sh", ["-c", SCRIPT, "sh", command, ...args], { cwd: cwd ?? this.#ports.home, env: this.#ports.env, detached: true, stdio: ["pipe", "pipe", "pipe", "pipe"] });
    this.#child = child;
    living.add(child);
    child.once("exit", (code, signal) => this.#exited(signal === null ? (code === 127 ? `there is no program "${command}"` : code === 126 ? `"${command}" cannot be run` : `it ended with status ${code}`) : `it was ended by ${signal}`));
    for (const stream of child.stdio) stream?.on("error", () => undefined); // Told by its exit.
    child.stdout!.on("data", (chunk: Buffer) => this.#heard(chunk));
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = `${this.#lastWords}${text}`.slice(-2_000);
      this.#ports.printed(text);
    });
    return new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (cause) => {
        this.#exited(`it cannot be started: ${cause.message}`);
        reject(cause);
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (this.#reason !== undefined || stdin === null || stdin === undefined || !stdin.writable) throw new Error(this.end ?? "it takes nothing any more");
    this.#sinceSent = 0;
    if (!stdin.write(`${JSON.stringify(message)}\n`)) await Promise.race([new Promise((resolve) => stdin.once("drain", resolve)), this.#ended.promise]);
  }

  /** Its input ends; what does not end of itself is told to, then made to. */
  async close(): Promise<void> {
    if (this.#child === undefined || this.#reason !== undefined) return;
    this.#child.stdin?.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await endsWithin(this.#ended.promise, GRACE_MS)) return;
      killGroup(this.#child, signal);
    }
    await endsWithin(this.#ended.promise, GRACE_MS);
  }

  #heard(chunk: Buffer): void {
    this.#sinceSent += chunk.length;
    if (this.#sinceSent > MOST_BYTES) return this.#stop(`it sent more than ${MOST_BYTES / 1_000_000} MB without being asked`);
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#line(Buffer.concat([...this.#rest, chunk.subarray(from, at)]).toString("utf8"));
      this.#rest = [];
      this.#restBytes = 0;
      from = at + 1;
    }
    if (from === chunk.length) return;
    this.#rest.push(chunk.subarray(from));
    this.#restBytes += chunk.length - from;
    if (this.#restBytes > MOST_BYTES) this.#stop(`it sent a message of more than ${MOST_BYTES / 1_000_000} MB`);
  }

  /** Servers print there what belongs to their log; that is no reason to give them up. */
  #line(line: string): void {
    if (line.trim() === "" || this.#reason !== undefined) return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return this.onerror?.(new Error(`It wrote a line that is no message: ${line.slice(0, 200)}`));
    }
    if (typeof message !== "object" || message === null || (message as { jsonrpc?: unknown }).jsonrpc !== "2.0") return this.onerror?.(new Error(`It sent what is no message: ${line.slice(0, 200)}`));
    this.onmessage?.(message as JSONRPCMessage);
  }

  #stop(reason: string): void {
    this.#exited(reason);
    if (this.#child !== undefined) killGroup(this.#child, "SIGKILL");
  }

  #exited(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    // What the shell says of a program that is not there is said already.
    if (reason.startsWith("there is no program")) this.#lastWords = "";
    if (this.#child !== undefined) {
      living.delete(this.#child);
      // The watcher, and what the server left behind.
      killGroup(this.#child, "SIGKILL");
      for (const stream of this.#child.stdio) stream?.destroy();
    }
    this.#ended.resolve();
    this.onclose?.();
  }
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}

async function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  try {
    return await Promise.race([ended.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ended at once where the agent ends without saying so. */
const living = new Set<ChildProcess>();
process.once("exit", () => living.forEach((child) => killGroup(child, "SIGKILL")));
