import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../contract/json.ts";
import type { Logger } from "../contract/logger.ts";
import type { Say } from "./slow-progress.ts";
import type { RunInPlace } from "./sync/place-tree.ts";

/** Keeps files of this machine and of a terminal's place alike. Nothing of it rejects: what went wrong is told. */
export interface TerminalSync {
  /** Where in the place the files of the start directory are, and tasks start: made when it is not there. `undefined`: they are not synced. */
  readonly folder: string | undefined;
  /** The place may be another one than before: it is looked at anew. */
  arrived(): void;
  /** Before a command: what has changed here is brought there. @param say What is being waited for. */
  before(run: RunInPlace, say?: Say): Promise<void>;
  /** After commands, and before the place is left: both ways. */
  settle(run: RunInPlace): Promise<void>;
  /** What a person should know, each thing once. */
  notes(): readonly string[];
}

/** Whose files go along to a place. */
export interface SyncingAgent {
  /** The agent's own home. */
  readonly home?: string;
  /** Where it was started. Default: the directory of the process. */
  readonly startDirectory?: string;
  readonly log?: Logger;
}

/** Folders of the agent's home that places get to read, where they are. */
export const SHARED_FOLDERS: readonly string[] = ["skills", ...["documents", "images", "audio", "videos", "screenshots", "web", "delegation"].map((name) => `cache/${name}`)];

/**
 * `undefined` where there is nothing to sync, which costs a look at some folders.
 * @param config The section `terminal` of the configuration.
 */
export async function openSync(config: JsonObject, { home, startDirectory, log }: SyncingAgent): Promise<TerminalSync | undefined> {
  if (home === undefined) return undefined;
  const declared = Array.isArray(config["credential_files"]) && config["credential_files"].length > 0;
  // What was sent once may have to be taken away.
  const wanted = declared || config["sync_cwd_to_workspace"] === true || filled(join(home, "sandboxes/sync")) || SHARED_FOLDERS.some((name) => filled(join(home, name)));
  if (!wanted) return undefined;
  const { PlaceSync } = await import("./sync/place-sync.ts");
  return PlaceSync.open({ config, agentHome: home, startDirectory: startDirectory ?? process.cwd(), log });
}

function filled(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0;
}
