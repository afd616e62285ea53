import { parseExact } from "hermes-agent/plugin";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { LineProgram } from "hermes-agent/terminal";
import type { StdioPlace } from "./server-entry.ts";

export interface StdioPorts {
  readonly env: { readonly [name: string]: string };
  readonly home: string;
  /** Receives the server's stderr. */
  printed(text: string): void;
}

/** A server over stdio, one message a line. It ends with the agent, together with the processes that it started. */
export class StdioTransport implements Transport {
  readonly #program: LineProgram;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];

  constructor({ command, args, cwd }: StdioPlace, { env, home, printed }: StdioPorts) {
    this.#program = new LineProgram({
      command,
      args,
      cwd: cwd ?? home,
      env,
      printed,
      line: (line) => this.#line(line),
      ended: () => this.onclose?.(),
    });
  }

  /** Why it ended, with the last text that it printed; `undefined` while it runs. */
  get end(): string | undefined {
    return this.#program.end;
  }

  get pid(): number | undefined {
    return this.#program.pid;
  }

  start(): Promise<void> {
    return this.#program.start();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#program.send(JSON.stringify(message));
  }

  kill(): void {
    this.#program.kill("it was not ready when the connection was closed");
  }

  close(): Promise<void> {
    return this.#program.close();
  }

  /** Some servers print log lines to stdout; that does not end the connection. */
  #line(line: string): void {
    let message: unknown;
    try {
      message = parseExact(line);
    } catch {
      return this.onerror?.(new Error(`It wrote a line that is not a message: ${line.slice(0, 200)}`));
    }
    if (typeof message !== "object" || message === null || (message as { jsonrpc?: unknown }).jsonrpc !== "2.0")
      return this.onerror?.(new Error(`It sent JSON that is not a message: ${line.slice(0, 200)}`));
    this.onmessage?.(message as JSONRPCMessage);
  }
}
