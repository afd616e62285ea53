import type { Logger } from "../../contract/common/logger.ts";
import type { Period } from "../../contract/providers/terminal.ts";
import type { Say } from "./slow-progress.ts";
import type { RunInEnvironment } from "../sync/remote-tree.ts";

/** Syncs files of this machine with a terminal's environment. Never rejects: failures are reported. */
export interface TerminalSync {
  /**
   * Where in the place the files of the start directory are, and tasks start: made when it is not there. `undefined`:
   * they are not synced.
   */
  readonly folder: string | undefined;
  /** The environment may be a new one: compares everything again. */
  arrived(): void;
  /** Forces a look at the local files before the next command, however recent the last one was. */
  refresh(): void;
  /** When files here were written, the newest last; what is long ago is forgotten. */
  readonly written: readonly Period[];
  /** Before a command: what has changed here is brought there. @param say What is being waited for. */
  before(run: RunInEnvironment, say?: Say): Promise<void>;
  /** After commands, and before the place is left: both ways. */
  settle(run: RunInEnvironment): Promise<void>;
  /** Notes for the user, each once. */
  notes(): readonly string[];
}

/** The agent whose files are synchronized into an environment. */
export interface SyncingAgent {
  /** The agent's own home. */
  readonly home?: string;
  /** Where it was started. Default: the directory of the process. */
  readonly startDirectory?: string;
  readonly log?: Logger;
}

/** Folders of the agent's home that places get to read, where they are. */
export const SHARED_FOLDERS: readonly string[] = [
  "skills",
  ...["documents", "images", "audio", "videos", "screenshots", "web", "delegation"].map((name) => `cache/${name}`),
];
