import { ToolFailure } from "../../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { LlmAnswer, LlmRequest, PluginContext, PluginStorage } from "../../../contract/plugins/plugin.ts";
import type { ToolOutcome } from "../../../contract/tools/outcome.ts";
import type { SkillShelf } from "../../../contract/plugins/skill.ts";
import type { GuardedFetch } from "../../../contract/providers/web.ts";
import { toolDenied, type CallingPlugin } from "../consent/tool-grants.ts";

type Denied = Extract<ToolOutcome, { readonly kind: "denied" }>;

/** The services of the agent for plugins, apart from registrations. */
export interface PluginServices {
  readonly conversations: ConversationServices;
  readonly network: NetworkServices;
  readonly state: StateServices;
  readonly skills: SkillShelf;
  llm(plugin: string, request: LlmRequest, signal?: AbortSignal): Promise<LlmAnswer>;
  redact(text: string): string;
  package(plugin: { readonly key: string; readonly dir: string }, name: string): Promise<unknown>;
}

/** Sessions, and events in them. */
export interface ConversationServices {
  readonly sessions: PluginContext["sessions"];
  readonly jobs: PluginContext["jobs"];
  readonly chats: PluginContext["chats"];
  /** Makes a text the next input of the current session. False if no session is open. */
  inject(text: string): boolean;
  /**
   * Asks the user whether a plugin from elsewhere may call a tool that its manifest does not request, unless the user
   * decided that before. @returns the denial, or `undefined` if the call may go to dispatch.
   */
  mayCall(plugin: CallingPlugin, tool: string, args: JsonObject): Promise<Denied | undefined>;
  /** Calls a tool through dispatch, in the session with that id or else in the current one. */
  call(plugin: string, tool: string, args: JsonObject, sessionId?: string): Promise<ToolOutcome>;
}

/** Guarded network access. */
export interface NetworkServices {
  fetch(plugin: string): GuardedFetch;
  socket(plugin: string): PluginContext["socket"];
  readonly proxy: PluginContext["proxy"];
  readonly browserReturn: PluginContext["browserReturn"];
}

/** Files and settings of the agent's home. */
export interface StateServices {
  readonly home: string;
  storage(plugin: string): PluginStorage;
  readonly changeFile: PluginContext["changeFile"];
  /** Variables of `.env`, including those that the plugin does not declare. */
  readonly secrets: PluginContext["secrets"];
  /** Writes one value of `config.yaml`; `undefined` removes it. */
  saveConfig(path: string, value: Json | undefined): Promise<void>;
}

/** For a plugin that is only recorded: Hermes runs its `register` to learn what it registers, nothing else. */
export const NO_SERVICES: PluginServices = {
  conversations: {
    sessions: { list: notNow, find: notNow, latest: notNow, search: notNow, branch: notNow, facts: noFacts },
    jobs: notNow,
    chats: notNow,
    inject: () => false,
    mayCall: ({ key, declared }, tool) => Promise.resolve(declared.includes(tool) ? undefined : notAllowed(key, tool)),
    call: (plugin) =>
      Promise.reject(new ToolFailure("unavailable", `The plugin "${plugin}" called a tool during registration.`)),
  },
  network: {
    fetch: (plugin) => () =>
      Promise.reject(
        new ToolFailure("unavailable", `The plugin "${plugin}" made a network request during registration.`),
      ),
    socket: () => notNow,
    proxy: notNow,
    browserReturn: notNow,
  },
  state: {
    home: "",
    storage: () => ({ get: notNow, set: notNow, delete: notNow, keys: notNow }),
    changeFile: notNow,
    secrets: { read: notNow, write: notNow },
    saveConfig: notNow,
  },
  skills: {
    folder: "",
    bundled: "",
    seed: notNow,
    reseed: notNow,
    setEnabled: notNow,
    all: notNow,
    roots: () => [],
    head: notNow,
    has: () => false,
    judge: notNow,
    fetch: notNow,
    publish: notNow,
    ofPlugins: () => [],
    asleep: notNow,
  },
  llm: notNow,
  redact: (text) => text,
  package: notNow,
};

/** No one can be asked. */
function notAllowed(key: string, tool: string): Denied {
  return { kind: "denied", by: "plugin grant", reason: toolDenied(key, tool, "the user has not allowed it") };
}

async function notNow(): Promise<never> {
  throw new ToolFailure(
    "unavailable",
    "This is not available during registration. Do it when a tool, a hook or a command runs.",
  );
}

async function* noFacts(): AsyncGenerator<never, void, undefined> {
  await notNow();
}
