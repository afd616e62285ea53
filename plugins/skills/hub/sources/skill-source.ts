import type { FetchedSource, GuardedFetch, JsonObject, SkillShelf } from "hermes-agent/plugin";

/** Where skills of others are found and fetched from; the word that `--source` and the records know it by. */
export const SOURCE_IDS = ["github", "claude-marketplace", "clawhub", "lobehub"] as const;
export type SourceId = (typeof SOURCE_IDS)[number];

/** One kind of place that skills come from. What it says is a stranger's, and nothing of what it sends is run. */
export interface SkillSource {
  readonly id: SourceId;
  /**
   * Skills whose name or description has all these words, each place of the source for itself: one that cannot be asked is told of among the others.
   * @param wanted One place of it alone: a tap.
   */
  search(words: readonly string[], most: number, wanted?: string): Promise<readonly Searched[]>;
  /**
   * Puts what an identifier names into a folder that is the caller's.
   * @throws {UserError} when there is no such thing, the source cannot be asked, or what it sent is not what it said.
   */
  fetch(identifier: string, into: string): Promise<Fetched>;
}

/** What one place answered. */
export interface Searched {
  readonly place: string;
  readonly hits: readonly Hit[];
  /** Why there is no answer. */
  readonly failed?: string;
}

export interface Hit {
  readonly name: string;
  /** What `install` takes. */
  readonly identifier: string;
  /** The address it is from. */
  readonly source: string;
  readonly description: string;
}

export interface Fetched extends FetchedSource {
  /** What the source itself says against it, a sentence each: it stops an installation as what a scan finds does. */
  readonly objections?: readonly string[];
  /** Of several skills only what their `SKILL.md` says: enough to choose one, which is fetched by its name then. */
  readonly headsOnly?: true;
}

/** What a source works with. */
export interface SourcePorts {
  readonly shelf: SkillShelf;
  readonly fetch: GuardedFetch;
  /** A variable of the plugin's manifest. */
  env(name: string): string | undefined;
  /** The section `skills` of `config.yaml`. */
  readonly settings: JsonObject;
  readonly signal: AbortSignal;
}
