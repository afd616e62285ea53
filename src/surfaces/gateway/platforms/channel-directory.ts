import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../../../contract/common/logger.ts";
import type { PlatformChat } from "../../../contract/providers/platform.ts";
import type { PlatformLine } from "./platform-connection.ts";

/** The chats that each platform listed last, as `channel_directory.json` has them. */
export class ChannelDirectory {
  readonly #file: string;
  readonly #log: Logger;
  readonly #chats = new Map<string, readonly PlatformChat[]>();

  constructor(home: string, log: Logger) {
    this.#file = join(home, "channel_directory.json");
    this.#log = log;
  }

  /** Asks every connected platform for its chats and writes the file if any platform lists chats. Never rejects. */
  async refresh(lines: readonly Pick<PlatformLine, "plan" | "chats">[]): Promise<void> {
    try {
      await Promise.all(lines.map((line) => this.#ask(line)));
      if (this.#chats.size === 0) return;
      const platforms = Object.fromEntries(this.#chats);
      const text = `${JSON.stringify({ updated_at: new Date().toISOString(), platforms }, undefined, 2)}\n`;
      await writeFile(`${this.#file}.${process.pid}`, text, { mode: 0o600 });
      await rename(`${this.#file}.${process.pid}`, this.#file);
    } catch (cause) {
      this.#log.warning("Cannot write the list of chats.", { cause });
    }
  }

  async #ask(line: Pick<PlatformLine, "plan" | "chats">): Promise<void> {
    try {
      const found = await line.chats();
      if (found !== undefined) this.#chats.set(line.plan.name, found);
    } catch (cause) {
      // The last list stays.
      this.#log.info(`${line.plan.label} cannot list its chats.`, { cause });
    }
  }
}
