import type { JsonObject } from "../common/json.ts";

/** What a tool says about a call before it runs. `block` is the hard floor: no approver is asked. */
export interface Risk {
  readonly answer: "ask" | "block";
  /** The class of harm in a few stable words, e.g. `recursive delete`. Session grants are remembered by it. */
  readonly key: string;
  /** Every reason, most serious first, each a sentence a person understands. */
  readonly reasons: readonly string[];
  /** What the call would do, resolved: `delete /srv/build (recursive)`. */
  readonly effects: readonly string[];
  /** The narrowest rule that "always" would store; absent where nothing may be stored (interpreters, shells, wrappers). */
  readonly rule?: string;
  /** Where it would run, in one line: which backend, whether it is isolated, whether a sandbox is around it. */
  readonly where?: string;
  /** Every simple command as the shell would run it, comments gone, quoting undone. */
  readonly commands?: readonly string[];
  /** Digest of what a yes depends on and no text shows: resolved executables, content of scripts, the environment that matters. */
  readonly bound?: string;
  /** Only a person may say yes, now and for this one call: no rule, no grant, no model. */
  readonly fresh?: true;
}

/** How long a yes holds. */
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
  /** sha-256 over tool, arguments, directory and risk, with all it is bound to. A yes holds for this digest only. */
  readonly digest: string;
  /** What encoded parts of the subject say, each beside its beginning. */
  readonly decoded?: readonly string[];
  /** The goal of the subagent that wants it. */
  readonly subagent?: string;
  /** What a look at the place adds: how many files a delete would take. Not part of the digest. */
  readonly counts?: readonly string[];
}

export type Decision =
  | { readonly kind: "allow"; readonly scope: Scope; readonly by: string; readonly reason?: string }
  | { readonly kind: "deny"; readonly by: string; readonly reason: string };

/** A no that a person may overrule, for this one call. */
export interface Doubt {
  readonly kind: "doubt";
  readonly by: string;
  readonly reason: string;
}

/** One link of the chain. The first that does not pass decides; nobody decides → deny; an approver that throws → deny. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<Decision | Doubt | "pass">;
