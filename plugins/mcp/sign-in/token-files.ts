import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type TokenFile = "tokens" | "client" | "meta";

const SUFFIX = { tokens: ".json", client: ".client.json", meta: ".meta.json" } as const;

/** What a sign-in left: `mcp-tokens/NAME.json` and its kin in the home, readable by their owner alone. */
export class TokenFiles {
  readonly #folder: string;
  readonly #name: string;

  constructor(home: string, name: string) {
    this.#folder = join(home, "mcp-tokens");
    this.#name = name;
  }

  /** `undefined` where nothing was kept, or what lies there cannot be read. */
  read<T>(which: TokenFile): T | undefined {
    try {
      return JSON.parse(readFileSync(this.#file(which), "utf8")) as T;
    } catch {
      return undefined; // Then the person signs in once more.
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
