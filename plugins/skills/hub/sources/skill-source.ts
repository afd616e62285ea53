import type { FetchedSource, GuardedFetch, JsonObject, SkillShelf } from "hermes-agent/plugin";

/** Where skills of others are found and fetched from; the word that `--source` and the records know it by. */
export const SOURCE_IDS = ["github", "claude-marketplace", "clawhub", "lobehub"] as const;
export type SourceId = (typeof SOURCE_IDS)[number];

/** A source of skills. Its content is untrusted, and none of it runs. */
export interface SkillSource {
  readonly id: SourceId;
  /**
   * Finds skills that match all words in their name or description. Each place of the source fails separately.
   * @param wanted Search only this tap.
   */
  search(words: readonly string[], most: number, wanted?: string): Promise<readonly Searched[]>;
  /**
   * Downloads what an identifier names into the caller's folder.
   * @throws {UserError} when it does not exist, the source is not reachable, or the content does not match its
   * checksum.
   */
  fetch(identifier: string, into: string): Promise<Fetched>;
}

/** The answer of one place. */
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
  /** Objections of the source, one sentence each; they block an installation like scan findings. */
  readonly objections?: readonly string[];
  /** Of several skills only what their `SKILL.md` says: enough to choose one, which is fetched by its name then. */
  readonly headsOnly?: true;
}

/** Dependencies of a source. */
export interface SourcePorts {
  readonly shelf: SkillShelf;
  readonly fetch: GuardedFetch;
  /** A variable of the plugin's manifest. */
  env(name: string): string | undefined;
  /** The section `skills` of `config.yaml`. */
  readonly settings: JsonObject;
  readonly signal: AbortSignal;
}
