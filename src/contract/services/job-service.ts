import type { Lease } from "../conversation/store.ts";
import type { Job, JobRun, JobRequest } from "./job.ts";

/** Scheduled jobs and their firings, as every process of this home sees them. */
export interface JobService {
  /**
   * The jobs that this session's conversation may see and create: all of them for the owner, only their own for another
   * chat user.
   */
  seenFrom(sessionId: string): Promise<JobService>;
  list(): Promise<readonly Job[]>;
  /** By id, start of an id, or name. @throws {UserError} that lists the candidates. */
  find(idOrName: string): Promise<Job>;
  /**
   * @throws {UserError} for a schedule that cannot be read, a prompt that is not taken, a script outside of
   * `~/.hermes/scripts`.
   */
  create(request: JobRequest): Promise<Job>;
  change(idOrName: string, request: JobRequest): Promise<Job>;
  pause(idOrName: string, reason?: string): Promise<Job>;
  /** From its next time on; what was missed meanwhile is not run. */
  resume(idOrName: string): Promise<Job>;
  /** Due now, whatever its schedule says, once. */
  trigger(idOrName: string): Promise<Job>;
  /** Deletes a job and all its outputs, and stops its current run. */
  remove(idOrName: string): Promise<Job>;
  /** Newest first. */
  runs(options?: { readonly job?: string; readonly limit?: number }): Promise<readonly JobRun[]>;
  /** The scheduler that runs due jobs; `undefined`: none runs, and only `hermes cron tick` runs jobs. */
  runner(): Promise<string | undefined>;
  /** Why jobs that were taken over wait, if they do. */
  deferred(): Promise<string | undefined>;
  readonly work: JobWork;
}

/** For the scheduler. */
export interface JobWork {
  /**
   * The lease of the one process that looks for due jobs; `undefined` while another holds it. Ends with its process.
   */
  seat(holder: string): Promise<Omit<Lease, "fence"> | undefined>;
  /** When something is due next, epoch ms. */
  nextAt(): Promise<number | undefined>;
  /**
   * Takes up to `limit` due jobs for this process. Each firing is stored, and the job's next time with it, before this
   * resolves: no other process gets it, and after a crash it is not run again.
   */
  claim(limit: number): Promise<readonly ClaimedRun[]>;
  /** Runs whose process ended before they did, each reported once: they are closed now and not run again. */
  interrupted(): Promise<readonly { readonly job: Job; readonly run: JobRun }[]>;
  /** Runs the job's script and waits for its end. Never rejects for what the script does. */
  script(job: Job, signal: AbortSignal): Promise<ScriptEnd>;
  /** The newest output of another job; `undefined` when it has none. */
  lastOutput(jobId: string): Promise<string | undefined>;
  /** Messages that wait to be sent to a chat, oldest first. */
  undelivered(): Promise<readonly Delivery[]>;
  /** It was sent, or, with `error`, will not be. */
  delivered(id: number, error?: string): Promise<void>;
}

export interface ClaimedRun {
  readonly job: Job;
  readonly run: JobRun;
  /** Scheduled runs that were missed; this one replaces them. */
  readonly missed: boolean;
  /** Why its prompt must not be run, if so: it may have been written by another program. */
  readonly refused: string | undefined;
  /** Id of the session that the run may open; no other session has it. */
  readonly sessionId: string;
  /** Aborted when the job was removed or this process lost it. */
  readonly lost: AbortSignal;
  finish(result: RunResult): Promise<void>;
}

export interface RunResult {
  readonly ok: boolean;
  /** Why not, in one line. */
  readonly error?: string;
  /** The run's saved output, Markdown. */
  readonly document: string;
  readonly sessionId?: string;
  /** The text to send; absent: nothing. */
  readonly message?: string;
}

export interface ScriptEnd {
  readonly ok: boolean;
  /** The script's output, shortened and masked. */
  readonly output: string;
  /** The error, for display. */
  readonly error?: string;
}

export interface Delivery {
  readonly id: number;
  /** This text only is settled: all its targets have it. */
  readonly key: string;
  readonly job: { readonly id: string; readonly name: string; readonly origin: Job["origin"] };
  /** One target of the job's `deliver`. */
  readonly target: string;
  readonly text: string;
}
