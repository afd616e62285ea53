import type { Risk } from "./approval.ts";
import type { Effect } from "./effect.ts";
import type { UntrustedSource } from "../conversation/part.ts";

/**
 * An effect of a call beyond its session. While the session holds untrusted content, each of these needs the user's
 * approval for the one call:
 * `send`: sends data off this machine. `fetch`: requests the address `what`, which may carry data; free if the user
 * wrote that address, or if a search service or a page listed exactly that address in this session, within limits.
 * `run`: runs code of the workspace; free until a file was changed after the untrusted content came in.
 * `code`: runs code that comes with the call, from elsewhere, or that cannot be inspected.
 * `change`: changes policy, memory, skills, schedules, or files that a later session reads as instructions.
 */
export interface Egress {
  readonly kind: "send" | "fetch" | "run" | "code" | "change";
  /** The recipient, address, program or file, as the approval dialog shows it. */
  readonly what: string;
  /** With `change`: other conversations read it as instructions or knowledge, so only the owner's may change it. */
  readonly instructs?: true;
  /**
   * With `send`: the service that the user chose for this (`the search service`). One approval may cover the session.
   */
  readonly service?: string;
  /**
   * Host of the open page that gets the input. With `send`, one approval may cover the session if the user named the
   * site. With `fetch`, the page's own links and buttons decide the address, so it counts as one that a page listed.
   */
  readonly site?: string;
  /** With `fetch`: how many pages of the site may be requested, so that choosing them counts. Default 1. */
  readonly pages?: number;
}

/** @deprecated Use {@link Egress}. */
export type Reach = Egress;

/**
 * The effects of one call. A tool returns it from `assess` before the call runs. Every member is optional; an absent
 * one has the default named here.
 */
export interface Assessment {
  /** The strongest thing this call does. Default: the tool's `effect`; a tool without one must set it. */
  readonly effect?: Effect;
  /** The reason for an approval (`answer: "ask"`) or a hard block (`"block"`). Default: none, so the call runs. */
  readonly risk?: Risk;
  /**
   * Default by effect: `network` sends data to the tool's service, `execute` runs code, other effects do neither. `[]`:
   * nothing.
   */
  readonly egress?: readonly Egress[];
  /**
   * Where untrusted content in the result comes from: the web, mail, other people, files outside the workspace.
   * `false`: the result holds none. A function is called right before the tool runs, with no time limit, for an answer
   * that has to open an environment first; if it throws, the result counts as untrusted. Default by effect: a `network`
   * call returns untrusted content from the tool's name, or from the first address it fetches; other effects return
   * none unless the tool fetches an address.
   */
  readonly untrusted?: UntrustedSource | false | (() => UntrustedSource | false | Promise<UntrustedSource | false>);
  /**
   * Paths that the call may change; a folder includes everything below it. Relative paths start at the terminal's
   * directory. Default by effect: the session's directory for `write` and `execute`, none for other effects.
   */
  readonly touches?: readonly string[];
  /**
   * Called only right before the dialog opens: lines that need a look at the disk or a service, such as how many files
   * a delete would take. Dispatch aborts it after a second. If it fails, the dialog opens without these lines.
   */
  survey?(signal: AbortSignal): Promise<readonly string[]>;
}
