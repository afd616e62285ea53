import type { JsonObject } from "../common/json.ts";

/** A tool's report about a call before it runs. `block` is a hard block: no approver is asked. */
export interface Risk {
  readonly answer: "ask" | "block";
  /** The class of harm in a few stable words, e.g. `recursive delete`. Session grants are remembered by it. */
  readonly key: string;
  /** Every reason, most serious first, each a sentence the user understands. */
  readonly reasons: readonly string[];
  /** Effects of the call, resolved: `delete /srv/build (recursive)`. */
  readonly effects: readonly string[];
  /**
   * The narrowest rule that "always" would store; absent where nothing may be stored (interpreters, shells, wrappers).
   */
  readonly rule?: string;
  /** Where it would run, in one line: which backend, whether it is isolated, whether a sandbox is around it. */
  readonly where?: string;
  /** Every simple command as the shell would run it, comments gone, quoting undone. */
  readonly commands?: readonly string[];
  /**
   * Digest of what an approval depends on and no text shows: resolved executables, content of scripts, the relevant
   * environment.
   */
  readonly bound?: string;
  /**
   * Only the user may approve, no rule and no model. `true`: now and for this one call. `session`: also for every call
   * of this class until the session ends.
   */
  readonly fresh?: true | "session";
}

/** How long an approval holds. */
export type Scope = "once" | "session" | "always";

export interface ApprovalRequest {
  readonly callId: string;
  readonly sessionId: string;
  readonly tool: string;
  /** The call in one readable text (the command, the path), control characters made visible, secrets masked. */
  readonly subject: string;
  readonly args: JsonObject;
  readonly cwd: string;
  readonly risk: Risk;
  /**
   * SHA-256 over tool, arguments, directory and risk, with everything it is bound to. An approval holds for this digest
   * only.
   */
  readonly digest: string;
  /** Decoded parts of the subject, each beside the start of its encoded form. */
  readonly decoded?: readonly string[];
  /** The goal of the subagent that wants it. */
  readonly subagent?: string;
  /** Details from an inspection of the environment: how many files a delete would remove. Not part of the digest. */
  readonly counts?: readonly string[];
}

export type Decision =
  | { readonly kind: "allow"; readonly scope: Scope; readonly by: string; readonly reason?: string }
  | { readonly kind: "deny"; readonly by: string; readonly reason: string };

/** A denial that the user may override, for this one call. */
export interface Doubt {
  readonly kind: "doubt";
  readonly by: string;
  readonly reason: string;
}

/**
 * One link of the chain. The first that does not pass decides. If none decides, the call is denied; an approver that
 * throws denies.
 */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<Decision | Doubt | "pass">;
