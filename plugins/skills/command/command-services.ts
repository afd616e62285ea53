import type { GuardedFetch, JsonObject, LlmAnswer, LlmRequest, SkillShelf } from "hermes-agent/plugin";

/** What a subcommand works with, typed in a shell or in a session. */
export interface Service {
  readonly shelf: SkillShelf;
  readonly home: string;
  readonly signal: AbortSignal;
  say(text: string): void;
  /** The text with `***` for every secret that is stored or looks like one. */
  redact(text: string): string;
  /** The way to registries, and what the person set for them. */
  readonly web: HubWeb;
  /** A question to a model of the person's, without tools. */
  llm(request: LlmRequest, signal?: AbortSignal): Promise<LlmAnswer>;
  /** Absent where nobody can be asked, or where typing the command is the answer. */
  confirm?(question: string): Promise<boolean>;
  /** Nobody is asked, and a consent has to be given along with the command. */
  readonly needsYes: boolean;
}

export interface HubWeb {
  readonly fetch: GuardedFetch;
  /** A variable of the plugin's manifest. */
  env(name: string): string | undefined;
  /** The section `skills` of `config.yaml`. */
  readonly settings: JsonObject;
  /** For one answer of the model that audits. */
  readonly auditTimeoutMs: number;
}

export interface Options {
  readonly [name: string]: string | boolean | undefined;
}

/** One word behind `hermes skills` and `/skills`, `hermes curator` and `/curator`. */
export interface Subcommand<D = Service> {
  /** After its name: `NAME [--json]`. */
  readonly takes: string;
  readonly does: string;
  readonly options?: { readonly [name: string]: { readonly type: "string" | "boolean"; readonly short?: string } };
  /** Words it needs at least, and takes at most. */
  readonly words: readonly [least: number, most: number];
  /** Returns the exit status; nothing is 0. */
  run(words: readonly string[], options: Options, service: D): Promise<number | void>;
}
