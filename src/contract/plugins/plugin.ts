import type { Check } from "../common/check.ts";
import type { OpenBrowserReturn } from "../providers/browser-return.ts";
import type { AnyTool } from "../tools/tool.ts";
import type { CliCommand, SlashCommand } from "../conversation/command.ts";
import type { ChatPost } from "../services/gateway-service.ts";
import type { HookHandler, HookName, HookOptions, Middleware, MiddlewareKind } from "./hook.ts";
import type { JobService } from "../services/job-service.ts";
import type { Json, JsonObject } from "../common/json.ts";
import type { Logger } from "../common/logger.ts";
import type { JsonSchema } from "../common/schema.ts";
import type { CompatPluginContext } from "./compat-context.ts";
import type { SessionService } from "../services/session-service.ts";
import type { PluginSkill, SkillShelf } from "./skill.ts";
import type { Slots } from "./slot.ts";
import type { SlotName } from "./slot-name.ts";
import type { ToolOutcome } from "../tools/outcome.ts";
import type { ImagePart } from "../conversation/part.ts";
import type { Toolset } from "../tools/toolset.ts";
import type { GuardedFetch, OpenProxy, OpenSocket } from "../providers/web.ts";

/**
 * A plugin's module exports this, as default or as `register`. It registers capabilities and does no work: it also runs
 * once to build the plugin's snapshot. If it throws, Hermes removes everything it registered.
 */
export type Plugin = (ctx: PluginContext) => void | Promise<void>;

/**
 * What a plugin gets from Hermes. Each registration returns a `Disposable` that removes it; unloading the plugin
 * removes all.
 */
export interface PluginContext extends CompatPluginContext {
  readonly id: string;
  readonly version: string;
  /** The plugin's own folder. */
  readonly dir: string;
  /** The agent's own home: `~/.hermes`, or the profile's. */
  readonly home: string;
  readonly log: Logger;
  /** The plugin's section of `config.yaml`, validated by the schema of its manifest. */
  readonly config: JsonObject;
  /** Any configuration value by dotted path, as `call.config` gives it to tools. */
  setting(path: string): Json | undefined;
  /** Aborted when the plugin is unloaded. */
  readonly signal: AbortSignal;
  /** A variable the manifest or one of its tools declares, from `.env` or the process. */
  env(name: string): string | undefined;
  tool(tool: AnyTool): Disposable;
  /** Tools that are registered now. While `register` runs, those that ship with the agent are among them. */
  tools(): readonly RegisteredName[];
  toolset(toolset: Toolset): Disposable;
  provide<S extends SlotName>(slot: S, provider: Slots[S]): Disposable;
  /** The provider in use (`one`) or the one of that id. Rejects with `UserError` that names what there is. */
  use<S extends SlotName>(slot: S, id?: string): Promise<Slots[S]>;
  /** `NoInfer` lets the name alone decide, so that `{ action: "block" }` keeps its literal type. */
  hook<K extends HookName>(name: K, handler: NoInfer<HookHandler<K>>, options?: HookOptions): Disposable;
  middleware<K extends MiddlewareKind>(kind: K, middleware: Middleware<K>): Disposable;
  command(command: SlashCommand): Disposable;
  cli(command: CliCommand): Disposable;
  /** Fetches an address that a model, a page or a message names. Refuses private addresses and secrets in requests. */
  readonly fetch: GuardedFetch;
  /** Opens a WebSocket, with the checks of `fetch`. */
  readonly socket: OpenSocket;
  /** Opens an HTTP proxy for programs that the plugin starts: their requests pass the checks of `fetch`. */
  readonly proxy: OpenProxy;
  /** A read-only skill `plugin:name`, loaded when it is asked for by that name. */
  skill(skill: PluginSkill): Disposable;
  /** All skills there are. Not for plugins that came from elsewhere. */
  readonly skills: SkillShelf;
  /** Runs a tool through the dispatch pipeline, in the open session with that id, or in the current one. */
  call(tool: string, args: JsonObject, options?: { readonly sessionId?: string }): Promise<ToolOutcome>;
  /** Values of the plugin's own that outlive the process, in a file of the home. */
  readonly storage: PluginStorage;
  /**
   * Changes a text file of the agent's home that several processes write. `change` receives the current text
   * (`undefined`: no such file) and returns the new text, or `undefined` to leave it. The write is atomic. Path below
   * the home. Beside the agent, `change` runs again if another process wrote meanwhile. Not for plugins installed from
   * elsewhere.
   */
  changeFile(path: string, change: (text: string | undefined) => string | undefined): Promise<void>;
  /**
   * Asks the user's model. No tools, no conversation.
   * @throws {ToolFailure} `unavailable` without a model; `blocked` for a provider or model that the user did not allow
   * this plugin, and when the tokens of its `plugins.entries.NAME.llm.token_budget` are used up.
   */
  llm(request: LlmRequest, signal?: AbortSignal): Promise<LlmAnswer>;
  /**
   * A text with stored secrets, and what looks like one, masked: for what the plugin itself writes to a file or prints.
   */
  redact(text: string): string;
  /**
   * Loads a package that does not come with the plugin: one of its folder `packages` (`package.json`,
   * `package-lock.json`). If it is not installed yet, Hermes asks the user and installs it into the home without
   * running its scripts. Any other name is a package that the user installed into `packages/own` of the home.
   * @throws {ToolFailure} `unavailable` if the user denies it or no user is connected.
   */
  package(name: string): Promise<unknown>;
  /** Past conversations. In a call or a command in the chat of a user other than the owner: only that user's. */
  readonly sessions: Pick<SessionService, "list" | "find" | "latest" | "facts" | "search" | "branch">;
  /** Scheduled jobs. Not for plugins that came from elsewhere. */
  jobs(): Promise<
    Pick<
      JobService,
      "seenFrom" | "list" | "find" | "create" | "change" | "pause" | "resume" | "trigger" | "remove" | "runner"
    >
  >;
  /** Chats of the gateway, to send to. Not for plugins that came from elsewhere. */
  chats(): Promise<ChatPost>;
  /**
   * Announces that more will be registered. `work` starts with the first session or listing of tools, which waits for
   * it for at most `patienceMs`; a session that has started keeps its tools. Hermes shows the user the sentences that
   * it resolves to, and `late()` if the wait ended first.
   */
  registering(work: () => Promise<readonly string[]>, options: { readonly patienceMs: number; late(): string }): void;
  /**
   * Writes one value of the plugin's own section of `config.yaml`, checked against its schema; `undefined` removes it.
   * For changes that the user requested with a command; only bundled plugins may call it.
   */
  saveConfig(path: string, value: Json | undefined): Promise<void>;
  /**
   * Variables that its manifest declares, in `.env`, where other processes may change them: for credentials of a
   * sign-in.
   */
  readonly secrets: PluginSecrets;
  /** For a sign-in by browser: where it comes back to this machine. */
  readonly browserReturn: OpenBrowserReturn;
  /** What `hermes doctor` asks of the plugin while it is loaded. Reads only, and connects to nothing. */
  doctor(look: () => Promise<readonly Check[]>): void;
  /** Run when the plugin is unloaded, last registered first. */
  onUnload(cleanup: () => void | Promise<void>): void;
}

export interface RegisteredName {
  readonly name: string;
  readonly toolset: string;
  /** The plugin that registered it. */
  readonly owner: string;
}

export interface PluginSecrets {
  /** The current value, read again on each call. */
  read(name: string): Promise<string | undefined>;
  /**
   * Writes are serialised; `undefined` removes a variable. For values that the user requested or a service renewed;
   * only bundled plugins may call it.
   */
  write(values: { readonly [name: string]: string | undefined }): Promise<void>;
}

export interface PluginStorage {
  get(key: string): Promise<Json | undefined>;
  set(key: string, value: Json): Promise<void>;
  /** @returns whether there was one. */
  delete(key: string): Promise<boolean>;
  keys(): Promise<readonly string[]>;
}

export interface LlmRequest {
  readonly system?: string;
  readonly messages: readonly {
    readonly role: "user" | "assistant";
    readonly text: string;
    readonly images?: readonly ImagePart[];
  }[];
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** Default 120 000. */
  readonly timeoutMs?: number;
  /** Any other than the user's own needs `plugins.entries.NAME.llm.allow_provider_override`. */
  readonly provider?: string;
  /** Any other than the user's own needs `plugins.entries.NAME.llm.allow_model_override`. */
  readonly model?: string;
  /**
   * Path in the plugin's own section of `config.yaml` where the user wrote `{ provider, model }`
   * (`presets.mine.models.0`): that model is asked and needs no other permission.
   */
  readonly setting?: string;
  /** A side task for which the user's settings may name another model (`auxiliary.TASK`). */
  readonly task?: string;
  /** The purpose, for the log. */
  readonly purpose?: string;
  /** Its kind in the ledger of requests. Default: the task, else `plugin`. */
  readonly kind?: string;
}

export interface LlmAnswer {
  readonly text: string;
  readonly provider: string;
  readonly model: string;
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly total_tokens: number;
    readonly cache_read_tokens: number;
    readonly cache_write_tokens: number;
  };
}

/** A variable that a manifest names. */
export interface ManifestVariable {
  readonly name: string;
  readonly description?: string;
  /** Label of the variable in `hermes setup`, such as `Weather API key`; default: its name. */
  readonly prompt?: string;
  /** Tools it is for; `hermes setup` asks when one of them is on. Default: all of the plugin. */
  readonly tools?: readonly string[];
  /** Where to get it. */
  readonly url?: string;
  /** Hidden while it is typed. */
  readonly secret?: boolean;
  /** Hosts that the value may be sent to, in a header, a body or the address. Default: to any, in headers only. */
  readonly hosts?: readonly string[];
}

/** `plugin.yaml`, as far as the core reads it. */
export interface PluginManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author?: string;
  /** Display name. */
  readonly label?: string;
  readonly kind: "standalone" | "backend" | "exclusive" | "platform" | "model-provider";
  /** The setting that has to name it before it runs: what it needs may be there for something else. */
  readonly chosen_by?: string;
  /** Bundled, but disabled until the user enables it, like any other plugin. */
  readonly opt_in?: true;
  readonly requires_env: readonly ManifestVariable[];
  readonly optional_env: readonly ManifestVariable[];
  readonly provides_tools: readonly string[];
  readonly provides_hooks: readonly string[];
  /**
   * Command line of a plugin that is a program and speaks the plugin protocol. Words that begin with `./` are files of
   * the plugin.
   */
  readonly program?: readonly string[];
  /** Python packages it needs, as pip writes them. */
  readonly dependencies?: readonly string[];
  /** Resources outside itself that it may use when it runs in a separate process; shown when it is installed. */
  readonly grants?: PluginGrants;
  /** The section of `config.yaml` the plugin owns, and its schema. Default section: `plugins.entries.<name>`. */
  readonly config?: {
    readonly section: string;
    readonly schema: JsonSchema;
    /**
     * The plugin's registrations depend on its section of `config.yaml`: if that section is not empty, `register` runs
     * at every start and the snapshot offers nothing.
     */
    readonly registers?: true;
  };
}

/** Absent lists grant nothing. Folders may begin with `~`. */
export interface PluginGrants {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** `example.org`, `*.example.org`, `127.0.0.1:8080`. */
  readonly hosts: readonly string[];
  /** Tools it may call by `ctx.call` and `ctx.dispatch_tool`. */
  readonly tools: readonly string[];
}
