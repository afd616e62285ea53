import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type TokenFile = "tokens" | "client" | "meta";

const SUFFIX = { tokens: ".json", client: ".client.json", meta: ".meta.json" } as const;

/** Files of a sign-in: `mcp-tokens/NAME.json` and related files in the home, readable only by their owner. */
export class TokenFiles {
  readonly #folder: string;
  readonly #name: string;

  constructor(home: string, name: string) {
    this.#folder = join(home, "mcp-tokens");
    this.#name = name;
  }

  /** `undefined` if the file is missing or unreadable. */
  read<T>(which: TokenFile): T | undefined {
    try {
      return JSON.parse(readFileSync(this.#file(which), "utf8")) as T;
    } catch {
      return undefined; // The user signs in again.
    }
  }

  write(which: TokenFile, value: unknown): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    chmodSync(this.#folder, 0o700);
    const staged = `${this.#file(which)}.${process.pid}`;
    writeFileSync(staged, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(staged, this.#file(which));
  }

  remove(...which: readonly TokenFile[]): void {
    for (const each of which) rmSync(this.#file(each), { force: true });
  }

  #file(which: TokenFile): string {
    return join(this.#folder, `${this.#name}${SUFFIX[which]}`);
  }
}
