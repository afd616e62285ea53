import { readFileSync } from "node:fs";
import { fingerprint } from "../../contract/common/fingerprint.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { parseSettings, type ParsedSettings } from "../config/parse-settings.ts";
import { writeCopy } from "../config/write-atomically.ts";

type Parsed = Pick<ParsedSettings, "data" | "problems">;

/** YAML through a copy of what was parsed before: files that are as they were cost no YAML parser. */
export class CachedYaml {
  readonly #file: string;
  readonly #before: { readonly [hash: string]: JsonObject };
  readonly #now: { [hash: string]: JsonObject } = {};
  #fresh = false;

  constructor(file: string) {
    this.#file = file;
    this.#before = readCopy(file);
  }

  async parse(text: string): Promise<Parsed> {
    const hash = fingerprint(text);
    const known = this.#before[hash];
    const { data, problems }: Parsed = known === undefined ? await parseSettings(text) : { data: known, problems: [] };
    if (problems.length === 0) this.#now[hash] = data;
    this.#fresh ||= known === undefined;
    return { data, problems };
  }

  /** Keeps what was asked for. */
  save(): void {
    if (this.#fresh) writeCopy(this.#file, JSON.stringify(this.#now));
  }
}

function readCopy(file: string): { readonly [hash: string]: JsonObject } {
  try {
    const copy: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof copy === "object" && copy !== null ? (copy as { readonly [hash: string]: JsonObject }) : {};
  } catch {
    return {}; // None yet, or cut off: it is made again.
  }
}
