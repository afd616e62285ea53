/**
 * A scheduled job, with the keys of the original's `cron/jobs.json`, so that existing files can be read. Times are ISO
 * strings.
 */
export interface Job {
  /** Twelve hex digits. */
  readonly id: string;
  readonly name: string;
  readonly prompt: string;
  readonly skills: readonly string[];
  readonly model: string | null;
  readonly provider: string | null;
  readonly base_url: string | null;
  /** A file of `~/.hermes/scripts`, run before the agent or, with `no_agent`, instead of it. */
  readonly script: string | null;
  readonly no_agent: boolean;
  /** Jobs whose newest output joins the prompt, by id. */
  readonly context_from: readonly string[] | null;
  readonly schedule: Schedule;
  readonly schedule_display: string;
  /** `times: null` is for ever. */
  readonly repeat: { readonly times: number | null; readonly completed: number };
  readonly enabled: boolean;
  readonly state: "scheduled" | "paused" | "completed" | "error";
  readonly paused_at: string | null;
  readonly paused_reason: string | null;
  readonly created_at: string;
  readonly next_run_at: string | null;
  readonly last_run_at: string | null;
  readonly last_status: "ok" | "error" | null;
  readonly last_error: string | null;
  readonly last_delivery_error: string | null;
  /** `local`, `origin`, `all`, `PLATFORM[:CHAT[:THREAD]]`, or several with commas. */
  readonly deliver: string;
  readonly origin: JobOrigin | null;
  /** The chat user who created the job, if that is not the owner. */
  readonly whose?: string;
  readonly enabled_toolsets: readonly string[] | null;
  readonly workdir: string | null;
  /** A run was requested outside of the schedule. */
  readonly triggered_at: string | null;
}

export type Schedule =
  | { readonly kind: "interval"; readonly minutes: number; readonly display: string }
  | { readonly kind: "cron"; readonly expr: string; readonly display: string }
  | { readonly kind: "once"; readonly run_at: string; readonly display: string };

/** The chat in which a job was made. */
export interface JobOrigin {
  readonly platform: string;
  readonly chat_id: string;
  readonly chat_name?: string | null;
  readonly thread_id?: string | null;
  readonly user_id?: string | null;
}

/** The settable fields of a job; `schedule` in the user's notation. An empty text or list clears a value. */
export interface JobRequest {
  readonly schedule?: string;
  readonly prompt?: string;
  readonly name?: string;
  readonly deliver?: string;
  /** 0 or less is for ever. */
  readonly repeat?: number;
  readonly skills?: readonly string[];
  readonly model?: string | null;
  readonly provider?: string | null;
  readonly script?: string;
  readonly no_agent?: boolean;
  readonly context_from?: readonly string[];
  readonly enabled_toolsets?: readonly string[];
  readonly workdir?: string;
  /** The session in which it is asked for: the chat behind it becomes the job's origin. */
  readonly session?: string;
}

/** One run of a job, stored before it starts. */
export interface JobRun {
  readonly id: number;
  readonly jobId: string;
  readonly name: string;
  /** `interrupted`: its process ended in the middle of it; what it did is not known, and it is not run again. */
  readonly state: "running" | "completed" | "failed" | "interrupted";
  /** Epoch ms. */
  readonly dueAt: number;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly sessionId?: string;
  /** File with what came of it. */
  readonly output?: string;
  readonly error?: string;
  /** It had nothing to say. */
  readonly silent?: true;
  /** How many due times after its own had passed when it began; it stands for them. */
  readonly caughtUp?: number;
}
