import type { UntrustedSource, DetachedHandle, Process } from "hermes-agent/plugin";
import type { ProcessIdentity } from "./process-identity.ts";
import type { ProcessEnd, ProcessRow } from "./process-table.ts";

/** A background process in its own agent. */
export interface TrackedProcess {
  /** `proc_` and 12 hex digits. */
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly taskId: string;
  readonly sessionId: string;
  /** ID of its terminal backend. */
  readonly backend: string;
  /** The process's identity on this machine, if it runs here. */
  readonly identity: ProcessIdentity | null;
  process: Process & {
    /** Fetches the output of a remote process. Rejects with `TerminalUnavailable`. */
    refresh?(): Promise<void>;
  };
  /** Data to find it again after it was detached. */
  grip?: DetachedHandle;
  /** Epoch ms. */
  readonly startedAt: number;
  /** Set when it has ended. */
  end: ProcessEnd | undefined;
  /** The cause of its end, if this agent ended it. */
  endedBy: string | undefined;
  /** Whether it outlives its session and the agent. */
  persistent: boolean;
  /** Whether an earlier agent started it. */
  readonly detached: boolean;
  /** Number of calls that wait for its end; their results report it to the model. */
  waiting: number;
  notifyOnComplete: boolean;
  /** Notifies its session of its end. */
  report: Notify;
  /** Whether its end has been reported. */
  reported: boolean;
  /** The provenance of its output, if it is untrusted. */
  readonly untrusted: UntrustedSource | null;
  readonly watchPatterns: readonly string[];
  watchHit: string | undefined;
  /** Whether it has secrets in its environment. */
  readonly secrets?: boolean;
  /** Asks its environment for its listening ports. */
  lookForPorts?(): Promise<readonly number[]>;
  /** The last answer of its environment. */
  ports?: ProcessRow["ports"];
}

/** Resolves when it has started successfully. */
export type Notify = (ended: TrackedProcess) => Promise<void>;

export interface Owner {
  readonly taskId: string;
  readonly sessionId: string;
}

export function belongs(entry: Owner, of: Owner): boolean {
  return entry.taskId === of.taskId || entry.sessionId === of.sessionId;
}
