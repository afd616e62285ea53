import type { UntrustedSource, DetachedHandle, Process } from "hermes-agent/plugin";
import type { ProcessIdentity } from "./process-identity.ts";
import type { ProcessEnd, ProcessRow } from "./process-table.ts";

/** A background process as its own agent knows it. */
export interface TrackedProcess {
  /** `proc_` and 12 hex digits. */
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly taskId: string;
  readonly sessionId: string;
  /** Id of the backend it runs in. */
  readonly backend: string;
  /** Known by its number on this machine, where it runs here. */
  readonly identity: ProcessIdentity | null;
  process: Process & {
    /** Brings what it has written elsewhere. Rejects with `TerminalUnavailable`. */
    refresh?(): Promise<void>;
  };
  /** Finds it again where it was left. */
  grip?: DetachedHandle;
  /** Epoch ms. */
  readonly startedAt: number;
  /** Set when it has ended. */
  end: ProcessEnd | undefined;
  /** Who ended it, when we did. */
  endedBy: string | undefined;
  /** It outlives its session and the agent. */
  kept: boolean;
  /** It was started by an agent that is gone. */
  readonly detached: boolean;
  /** Calls that wait for its end now; they tell the model themselves. */
  waiting: number;
  notifyOnComplete: boolean;
  /** Tells its session of its end. */
  report: Notify;
  /** Its end needs no telling any more. */
  told: boolean;
  /** Whose words its output carries, when they are strangers'. */
  readonly foreign: UntrustedSource | null;
  readonly watchPatterns: readonly string[];
  watchHit: string | undefined;
  /** Secrets are in its environment. */
  readonly secrets?: boolean;
  /** Asks its place. */
  lookForPorts?(): Promise<readonly number[]>;
  /** What the place said last. */
  ports?: ProcessRow["ports"];
}

/** Resolves when it is on its way for good. */
export type Notify = (ended: TrackedProcess) => Promise<void>;

export interface Owner {
  readonly taskId: string;
  readonly sessionId: string;
}

export function belongs(entry: Owner, of: Owner): boolean {
  return entry.taskId === of.taskId || entry.sessionId === of.sessionId;
}
