import type { Notice } from "../common/notice.ts";
import type { Check } from "../common/check.ts";
import type { CommandInfo, First, HookMap, HookPayload } from "../plugins/hook.ts";
import type { JsonObject } from "../common/json.ts";

/**
 * Hook events of a surface, and the hooks that belong to no plugin: shell hooks of `config.yaml`, event hooks of the
 * home's `hooks` folder.
 */
export interface HookService {
  /** Asked before every slash command. A guard that is broken refuses it. */
  beforeCommand(command: CommandInfo): Promise<CommandVerdict | undefined>;
  /** A new conversation took another's place. */
  sessionReset(reset: HookPayload<"on_session_reset">): Promise<void>;
  /** An inbound chat message, before anybody asks who wrote it. A guard that is broken lets nothing in. */
  beforeDispatch(event: JsonObject): Promise<DispatchVerdict>;
  /** Sets the chat user of a session, for events that name a chat. */
  speaks(sessionId: string, who: ChatIdentity): void;
  /** Fires event hooks that no other hook covers: `gateway:startup`. Does not wait for them. */
  emit(event: string, context: JsonObject): void;
  /** Shell hooks that do not run because the user has not approved their current content. */
  waiting(): readonly ShellHookInfo[];
  /** Warnings about shell hooks: entries with mistakes, and hooks that wait for consent. */
  notices(): readonly Notice[];
  /**
   * Agrees to hooks: from now on they run. Those that are declined stay off until the next start; a guard that was
   * neither agreed to nor declined refuses the calls that it guards.
   */
  accept(agreed: readonly ShellHookInfo[], declined: readonly ShellHookInfo[]): Promise<void>;
  /** `problems`: entries of config.yaml that are left out, or not as they were meant. */
  list(): Promise<{
    readonly shell: readonly ShellHookInfo[];
    readonly problems: readonly string[];
    readonly events: readonly EventHookInfo[];
  }>;
  /**
   * Runs the shell hooks of that event with a sample payload, agreed to or not. @throws {UserError} for an event that
   * does not exist.
   */
  test(
    event: string,
    options: { readonly tool?: string; readonly payload?: JsonObject },
  ): Promise<readonly ShellHookTest[]>;
  /** Takes back every agreement to that command. @returns how many there were. */
  revoke(command: string): Promise<number>;
  doctor(): Promise<readonly Check[]>;
  /** Takes the files as they are now, once config.yaml was read again. */
  reload(): Promise<void>;
}

export type CommandVerdict = HookMap["pre_command"] extends First<unknown, infer Verdict> ? Verdict : never;

export type DispatchVerdict =
  | { readonly action: "allow" }
  | { readonly action: "skip" }
  | { readonly action: "rewrite"; readonly text: string };

/** The identity of a chat, in the field names of chat events. */
export interface ChatIdentity {
  readonly user_id: string;
  readonly chat_id: string;
  readonly thread_id: string;
  readonly chat_type: string;
  readonly session_key: string;
}

export interface ShellHookInfo {
  readonly event: string;
  readonly command: string;
  /** Tools it is for: names, or the pattern as written. Absent: all. */
  readonly tools?: string;
  readonly timeoutMs: number;
  /** `changed`: the user approved it, but its script is different now. */
  readonly consent: "given" | "missing" | "changed";
  /** ISO 8601, UTC. */
  readonly agreedAt?: string;
}

export interface EventHookInfo {
  readonly name: string;
  readonly description: string;
  readonly dir: string;
  readonly events: readonly string[];
  /** Why it is not called. */
  readonly problem?: string;
}

export interface ShellHookTest {
  readonly command: string;
  readonly exitCode: number | null;
  readonly durationMs: number;
  readonly stdout: string;
  readonly stderr: string;
  /** How the agent reads its output: `block: …`, `context: …`, `nothing`, or the error. */
  readonly verdict: string;
  readonly ok: boolean;
}
