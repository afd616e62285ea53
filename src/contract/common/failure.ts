import type { JsonObject } from "./json.ts";
import type { UntrustedSource } from "../conversation/part.ts";

/**
 * Why a tool call failed, for programs. The table of `docs/reference/errors.md` is generated from this. The core knows
 * these codes; a plugin may add its own.
 */
export const FAILURE_CODES = {
  unknown_tool: "No tool of this name is offered in this session.",
  unavailable: "The tool exists but cannot run here. The message says what it needs.",
  bad_arguments: "The arguments do not match the tool's schema. Nothing was run.",
  blocked: "A rule, a guard or the user refused the call. Nothing was run.",
  timeout: "The tool exceeded its timeout. Hermes stopped it and what it started.",
  cancelled: "The user or the surface stopped the turn.",
  not_found: "The file, chat, job or other thing that the call names does not exist.",
  unreachable: "The remote service does not answer, or its response cannot be used.",
  conflict: "The target changed since it was read, or is not in the state that the call expects.",
  nobody: "The call needs an answer from the user, and no user is connected.",
  loop: "The same call gave the same result too often. It is not run again.",
  crashed: "The tool threw an unexpected error. The log has the stack.",
  plugin_gone: "The plugin that owns the tool failed or was unloaded.",
} as const;

export type FailureCode = keyof typeof FAILURE_CODES;

/**
 * A tool throws this for a failure it expects. The model reads `{"error": message, ...data}` plus `hint`, which says
 * what to try instead.
 */
export class ToolFailure extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  /** Further keys of the error object the model sees, for tools whose result shape is fixed (`exit_code`, `status`). */
  readonly data: JsonObject | undefined;
  /** The whole text of the failure as the tool wrote it, where its bytes are to stay; the model reads this instead. */
  readonly words: string | undefined;
  /**
   * Set if the message repeats untrusted text, such as a service's refusal or a program's output: the source of that
   * text.
   */
  readonly from: UntrustedSource | undefined;

  constructor(
    code: FailureCode | (string & {}),
    message: string,
    options: {
      hint?: string;
      data?: JsonObject;
      words?: string;
      from?: UntrustedSource | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "ToolFailure";
    this.code = code;
    this.hint = options.hint;
    this.data = options.data;
    this.words = options.words;
    this.from = options.from;
  }
}

/** Whose words an error repeats, as it says itself or as what it was made of says. */
export function authorOf(error: unknown): UntrustedSource | undefined {
  // A chain that leads back into itself ends too.
  for (let [at, left] = [error, 16]; at instanceof Error && left > 0; [at, left] = [at.cause, left - 1]) {
    const { from } = at as { readonly from?: Partial<UntrustedSource> };
    if (typeof from?.source === "string") return from as UntrustedSource;
  }
  return undefined;
}

/**
 * A tool throws this when it cannot know whether its action happened: the connection broke in the middle of it. The
 * call ends as `unknown`, and Hermes does not run it again automatically.
 */
export class OutcomeUnknown extends Error {
  /** Further keys of the error object the model sees. */
  readonly data: JsonObject | undefined;

  constructor(message: string, options: { data?: JsonObject; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "OutcomeUnknown";
    this.data = options.data;
  }
}

/** A mistake of the user or in their files (flag, config, manifest), shown in plain words without a stack. */
export class UserError extends Error {
  readonly hint: string | undefined;
  /** Exit status of the command line, by sysexits.h: 2 usage, 78 configuration, 1 anything else. */
  readonly exitCode: number;

  constructor(message: string, options: { hint?: string; exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "UserError";
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? 1;
  }
}
