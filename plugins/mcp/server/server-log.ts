import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

const MAX_BYTES = 2_000_000;

/**
 * Writes the servers' stderr to `logs/mcp-stderr.log`, with secrets masked and one rotated file. A full disk does not
 * stop a server.
 */
export class ServerLog {
  readonly #file: string;
  readonly #redact: (text: string) => string;

  constructor(home: string, redact: (text: string) => string) {
    this.#file = join(home, "logs", "mcp-stderr.log");
    this.#redact = redact;
  }

  started(server: string): void {
    this.#write(`\n===== ${new Date().toISOString()} MCP server "${server}" =====\n`);
  }

  write(text: string): void {
    this.#write(this.#redact(text));
  }

  #write(text: string): void {
    try {
      mkdirSync(join(this.#file, ".."), { recursive: true, mode: 0o700 });
      if ((statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES)
        renameSync(this.#file, `${this.#file}.1`);
      appendFileSync(this.#file, text, { mode: 0o600 });
    } catch {
      // The log exists for later troubleshooting.
    }
  }
}
