import type { GuardedFetch, JsonObject, LlmAnswer, LlmRequest, SkillShelf } from "hermes-agent/plugin";

/** The services of a subcommand, typed in a shell or in a session. */
export interface Service {
  readonly shelf: SkillShelf;
  readonly home: string;
  readonly signal: AbortSignal;
  say(text: string): void;
  /** The text with `***` for every secret that is stored or looks like one. */
  redact(text: string): string;
  /** Access to registries, with the user's settings. */
  readonly web: HubWeb;
  /** Asks a model, without tools. */
  llm(request: LlmRequest, signal?: AbortSignal): Promise<LlmAnswer>;
  /** Absent if no one can be asked, or if typing the command is the answer. */
  confirm?(question: string): Promise<boolean>;
  /** No one is asked; the command must include the consent. */
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
