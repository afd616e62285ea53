import { ToolFailure } from "../../../contract/common/failure.ts";
import type { Json } from "../../../contract/common/json.ts";
import type { LlmAnswer, LlmRequest, PluginContext, PluginStorage } from "../../../contract/plugins/plugin.ts";
import type { SkillShelf } from "../../../contract/plugins/skill.ts";

/** What the agent does for plugins besides taking their registrations. */
export interface PluginServices {
  /** The agent's own home. */
  readonly home: string;
  readonly sessions: PluginContext["sessions"];
  readonly skills: SkillShelf;
  jobs: PluginContext["jobs"];
  chats: PluginContext["chats"];
  storage(plugin: string): PluginStorage;
  readonly changeFile: PluginContext["changeFile"];
  readonly proxy: PluginContext["proxy"];
  socket(plugin: string): PluginContext["socket"];
  readonly browserReturn: PluginContext["browserReturn"];
  llm(plugin: string, request: LlmRequest, signal?: AbortSignal): Promise<LlmAnswer>;
  redact(text: string): string;
  package(plugin: { readonly key: string; readonly dir: string }, name: string): Promise<unknown>;
  /** Variables of `.env`, whoever declared them. */
  readonly secrets: PluginContext["secrets"];
  /** Writes one value of `config.yaml`; `undefined` takes it out. */
  saveConfig(path: string, value: Json | undefined): Promise<void>;
  /** Makes a text the next input of the session that is current. False where none is open. */
  inject(text: string): boolean;
}

/** While a plugin is only asked what it registers. */
export const NO_SERVICES: PluginServices = {
  home: "",
  sessions: { list: notNow, find: notNow, latest: notNow, search: notNow, branch: notNow, facts: noFacts },
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
  jobs: notNow,
  chats: notNow,
  storage: () => ({ get: notNow, set: notNow, delete: notNow, keys: notNow }),
  changeFile: notNow,
  proxy: notNow,
  socket: () => notNow,
  browserReturn: notNow,
  llm: notNow,
  redact: (text) => text,
  package: notNow,
  secrets: { read: notNow, write: notNow },
  saveConfig: notNow,
  inject: () => false,
};

async function notNow(): Promise<never> {
  throw new ToolFailure(
    "unavailable",
    "That is not to be had while a plugin is being registered; do it when a tool, a hook or a command runs.",
  );
}

async function* noFacts(): AsyncGenerator<never, void, undefined> {
  await notNow();
}
