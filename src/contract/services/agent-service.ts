import type { JsonObject } from "../common/json.ts";
import type { OpenSession } from "./open-session.ts";
import type { TurnEnd } from "../conversation/session.ts";

/** Sessions that work without being in front: those of subagents, and prompts that run in the background. */
export interface AgentService {
  /** Subagents of this process, and background sessions of every process of the home, oldest first. */
  list(): Promise<readonly Agent[]>;
  /** Runs a prompt in a new session. Resolves when the session has taken it in; `announce` receives its end. */
  start(request: BackgroundRequest): Promise<{ readonly id: string }>;
  /** Stops a background session or a subagent of this process. @returns false if none has this id. */
  stop(id: string): Promise<boolean>;
  /** Background sessions of this surface whose process ended before it announced them. */
  left(surface: string): Promise<readonly LeftBackground[]>;
  /** Resumes one of those: `announce` receives its end, also if its turn had ended already. */
  resume(left: LeftBackground, request: Omit<BackgroundRequest, "prompt">): Promise<void>;
  /** No process resumes it; its session stays. */
  forget(id: string): Promise<void>;
  /** Stores the chat of a session that pursues a goal; `id` is the session's. */
  noteGoal(goal: PursuedGoal): Promise<void>;
  /** Goals of this surface that were noted and not forgotten. */
  goals(surface: string): Promise<readonly PursuedGoal[]>;
  forgetGoal(sessionId: string): Promise<void>;
}

/** A chat whose session pursues a goal, so that a later gateway continues it. */
export type PursuedGoal = Omit<LeftBackground, "startedAt">;

export interface Agent {
  readonly id: string;
  readonly kind: "background" | "subagent";
  /** The prompt, or a subagent's goal. */
  readonly task: string;
  readonly state: "working" | "waits for the user" | "in another process";
  /** Epoch ms. */
  readonly startedAt: number;
  /** Read and written by its model; 0 if another process runs it. */
  readonly tokens: number;
  /** Its newest tool call. */
  readonly doing?: string;
  /** The scope of a background session, and of the subagents under it. */
  readonly scope?: string;
  /** The session at the top: a subagent's first ancestor. */
  readonly rootId: string;
}

export interface BackgroundRequest {
  readonly prompt: string;
  /** Options of the session; its questions name it. */
  readonly opening: OpenSession;
  /** Who may see and stop it: the session key of a chat. Absent: the users of this machine. */
  readonly scope?: string;
  /** Data of the surface, by which a later process finds the way back. */
  readonly from?: JsonObject;
  announce(end: BackgroundEnd): void | Promise<void>;
}

export interface BackgroundEnd extends Pick<TurnEnd, "reason" | "text" | "detail"> {
  readonly id: string;
  readonly prompt: string;
}

export interface LeftBackground {
  readonly id: string;
  readonly prompt: string;
  readonly surface: string;
  readonly startedAt: number;
  readonly scope?: string;
  readonly from?: JsonObject;
}
