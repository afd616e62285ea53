import type { Notice, PluginDesk, PluginListing } from "../../contract/app.ts";
import type { EnvNeed } from "../../contract/availability.ts";
import type { Clock } from "../../contract/clock.ts";
import type { Json, JsonObject } from "../../contract/json.ts";
import type { Logger } from "../../contract/logger.ts";
import type { ToolOutcome } from "../../contract/outcome.ts";
import type { Config } from "../config/open-config.ts";
import type { FoundPlugin } from "./discovery.ts";
import { judge, type GateInputs, type Verdict } from "./gate.ts";
import { offerSnapshot } from "./offer.ts";
import { createContext } from "./plugin-context.ts";
import { createPluginDesk } from "./plugin-desk.ts";
import { hasEntryModule } from "./plugin-files.ts";
import type { PluginIndex } from "./plugin-index.ts";
import { PluginRuntime } from "./plugin-runtime.ts";
import { brokenPromises, emptyRecording, type Registered } from "./registered.ts";
import { createRegistries, type Registries } from "./registries.ts";

export interface PluginPorts {
  readonly index: PluginIndex;
  readonly config: Pick<Config, "get" | "section" | "edit">;
  readonly environment: { get(name: string): string | undefined };
  readonly log: Logger;
  readonly clock: Clock;
  /** A plugin's own call of a tool, by the one road, in the session that is current. */
  call(plugin: string, tool: string, args: JsonObject): Promise<ToolOutcome>;
  /** Slash commands no plugin may take. */
  reservedCommand?(name: string): boolean;
}

/** All plugins of one process and everything they registered. */
export interface PluginHost extends Registries, AsyncDisposable {
  readonly desk: PluginDesk;
  /** Variables an owner may read: those of its manifest and of its tools. */
  declaredEnv(owner: string): readonly EnvNeed[];
  /** Whether that is the name, or a former name, of a tool that ships with us. */
  isBuiltIn(tool: string): boolean;
  /** Plugins that failed, would replace a built-in, or wait to be enabled. */
  readonly notices: readonly Notice[];
  /** Takes back everything it registered, aborts its signal and runs its cleanups. @returns false when it is not running. */
  unload(key: string): Promise<boolean>;
  /** As configuration and this process have it. */
  listing(plugin: FoundPlugin): PluginListing;
}

/**
 * Offers every plugin that configuration lets run: from its snapshot without loading its code, or by registering it now when its files
 * are new or changed. A plugin that fails is reported and left out; nothing it does here rejects.
 */
export async function openPlugins(ports: PluginPorts): Promise<PluginHost> {
  const host = new Host(ports);
  await host.open();
  return host;
}

class Host implements PluginHost {
  readonly #ports: PluginPorts;
  readonly #log: Logger;
  readonly #runtimes = new Map<string, PluginRuntime>();
  readonly #registered = new Map<string, Registered>();
  readonly #failures = new Map<string, string>();
  readonly #running = new Map<string, FoundPlugin>();
  readonly #notices: Notice[] = [];
  #builtIn: ReadonlySet<string> = new Set();
  readonly desk: PluginDesk;
  readonly tools: Registries["tools"];
  readonly toolsets: Registries["toolsets"];
  readonly hooks: Registries["hooks"];
  readonly middlewares: Registries["middlewares"];
  readonly commands: Registries["commands"];
  readonly cli: Registries["cli"];
  readonly slots: Registries["slots"];

  constructor(ports: PluginPorts) {
    this.#ports = ports;
    this.#log = ports.log.child("plugins");
    const registries = createRegistries({ log: this.#log, clock: ports.clock, config: (path) => ports.config.get(path) });
    ({ tools: this.tools, toolsets: this.toolsets, hooks: this.hooks, middlewares: this.middlewares, commands: this.commands, cli: this.cli, slots: this.slots } = registries);
    this.desk = createPluginDesk({ ...ports, log: this.#log }, this);
  }

  get notices(): readonly Notice[] {
    return this.#notices;
  }

  async open(): Promise<void> {
    const { index } = this.#ports;
    this.#builtIn = new Set(index.bundled.flatMap(({ registered }) => (registered?.tools ?? []).flatMap(({ name, aliases }) => [name, ...aliases])));
    const waiting: string[] = [];
    const gate = this.#gate();
    // A folder inside a category is news that the plugins folder's own date does not tell.
    if (this.#absent(gate.enabled).some((name) => index.isThere(name))) await index.rescan();
    for (const name of this.#absent(gate.enabled)) this.#say("warning", `plugins.enabled names "${name}", and there is no such plugin.`, "hermes plugins list shows what there is.");
    // Of two folders with one key the later one counts.
    const byKey = new Map(index.user.map((plugin) => [plugin.key, plugin]));
    const judged = [...byKey.values()].map((plugin) => ({ plugin, verdict: judge(plugin, gate) }));
    const taken = new Set(judged.filter(({ verdict }) => verdict.state === "enabled").map(({ plugin }) => plugin.key));
    const ours = index.bundled.filter(({ key }) => !taken.has(key)).map((plugin) => ({ plugin, verdict: judge(plugin, gate) }));
    for (const { plugin, verdict } of [...ours, ...judged]) {
      if (verdict.state === "enabled") await this.#start(plugin);
      else {
        this.#log.debug(`Skipped ${plugin.key}: ${verdict.reason}`);
        if (verdict.state === "failed") this.#notices.push({ level: "warning", text: `The plugin "${plugin.key}" cannot run: ${verdict.reason}` });
        else if (plugin.source !== "bundled" && verdict.state === "disabled" && verdict.reason.startsWith("Plugin ")) this.#say("warning", verdict.reason, "hermes config set NAME VALUE puts a variable into .env.");
        else if (verdict.state === "not enabled" && plugin.manifest.kind !== "exclusive" && hasEntryModule(plugin.files)) waiting.push(plugin.key);
      }
    }
    if (waiting.length > 0) this.#notices.push({ level: "info", text: `${waiting.length === 1 ? "A plugin waits" : `${waiting.length} plugins wait`} to be enabled: ${waiting.slice(0, 5).join(", ")}${waiting.length > 5 ? ", ..." : ""}`, hint: `hermes plugins enable ${waiting[0]}` });
    this.#builtIn = new Set([...this.#builtIn, ...this.tools.list().flatMap(({ owner, value }) => (this.#running.get(owner)?.source === "bundled" ? [value.declaration.name, ...value.declaration.aliases] : []))]);
    index.save();
  }

  isBuiltIn(tool: string): boolean {
    return this.#builtIn.has(tool);
  }

  declaredEnv(owner: string): readonly EnvNeed[] {
    const manifest = this.#running.get(owner)?.manifest;
    const tools = this.#registered.get(owner)?.tools ?? [];
    return [...(manifest?.requires_env ?? []), ...(manifest?.optional_env ?? []), ...tools.flatMap(({ env }) => env)];
  }

  async unload(key: string): Promise<boolean> {
    const runtime = this.#runtimes.get(key);
    if (runtime === undefined) return false;
    this.#runtimes.delete(key);
    this.#running.delete(key);
    await runtime.unload();
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#runtimes.keys()].map((key) => this.unload(key)));
  }

  listing(plugin: FoundPlugin): PluginListing {
    const running = this.#running.get(plugin.key);
    const failure = this.#failures.get(plugin.key);
    const registered = this.#registered.get(plugin.key) ?? plugin.registered;
    const verdict = judge(plugin, this.#gate());
    const state: Verdict = verdict.state !== "enabled" ? verdict : running !== undefined && running.dir !== plugin.dir ? { state: "shadowed", reason: `the plugin in ${running.dir} has the same name and comes later` } : failure !== undefined ? { state: "failed", reason: failure } : verdict;
    return {
      manifest: plugin.manifest,
      key: plugin.key,
      dir: plugin.dir,
      source: plugin.source,
      ...state,
      registered: {
        tools: registered?.tools.map(({ name }) => name) ?? [],
        hooks: registered?.hooks.map(({ name }) => name) ?? [],
        commands: registered?.commands.map(({ name }) => name) ?? [],
        cli: registered?.cli.map(({ name }) => name) ?? [],
        providers: registered?.providers.map(({ slot, id }) => `${slot}/${id}`) ?? [],
      },
    };
  }

  #absent(enabled: ReadonlySet<string>): readonly string[] {
    const { user, bundled } = this.#ports.index;
    const known = new Set([...user, ...bundled].flatMap(({ key, manifest }) => [key, manifest.name]));
    return [...enabled].filter((name) => !known.has(name));
  }

  #gate(): GateInputs {
    return { enabled: this.#names("plugins.enabled"), disabled: this.#names("plugins.disabled"), env: (name) => this.#ports.environment.get(name) };
  }

  #names(path: string): ReadonlySet<string> {
    const names = this.#ports.config.get(path);
    return new Set(Array.isArray(names) ? (names as readonly Json[]).map(String) : []);
  }

  async #start(plugin: FoundPlugin): Promise<void> {
    const { key, manifest, registered } = plugin;
    const recording = emptyRecording();
    const runtime = new PluginRuntime({
      key,
      dir: plugin.dir,
      bundled: plugin.source === "bundled",
      log: this.#log,
      failed: (reason) => this.#failures.set(key, reason),
      context: (self) =>
        createContext(
          {
            key,
            manifest,
            dir: plugin.dir,
            log: this.#log.child(key),
            registries: this,
            recording,
            config: () => this.#configOf(plugin),
            env: (name) => this.#ports.environment.get(name),
            call: (tool, args) => this.#ports.call(key, tool, args),
            refusal: (kind, names) => this.#refusal(plugin, kind, names),
          },
          self,
        ),
    });
    this.#runtimes.set(key, runtime);
    this.#running.set(key, plugin);
    if (registered === undefined) {
      this.#registered.set(key, recording);
      try {
        await runtime.activate();
        this.#ports.index.remember(plugin.dir, JSON.parse(JSON.stringify(recording)) as Registered);
      } catch {
        // Reported by `failed` and in the log; the agent goes on without it.
        this.#registered.delete(key);
        this.#notices.push({ level: "error", text: `The plugin "${key}" failed: ${this.#failures.get(key) ?? "unknown"}`, hint: `hermes plugins disable ${key}` });
        return;
      }
    } else {
      this.#registered.set(key, registered);
      offerSnapshot(runtime, registered, this, (kind, names) => {
        const reason = this.#refusal(plugin, kind, names);
        if (reason !== undefined) this.#say("warning", reason, kind === "tool" ? `hermes plugins enable ${key} asks once.` : undefined);
        return reason !== undefined;
      });
    }
    for (const text of brokenPromises(key, manifest, this.#registered.get(key) ?? recording)) this.#say(plugin.source === "bundled" ? "info" : "warning", text);
  }

  #configOf({ key, manifest }: FoundPlugin): JsonObject {
    const value = this.#ports.config.get(manifest.config?.section ?? `plugins.entries.${key}`);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  }

  /** Built-in tools are replaced only by a plugin whose person agreed; built-in commands never. */
  #refusal({ key, source }: FoundPlugin, kind: "tool" | "command", names: readonly string[]): string | undefined {
    if (source === "bundled") return undefined;
    if (kind === "command") {
      const name = names.find((one) => this.#ports.reservedCommand?.(one) === true);
      return name === undefined ? undefined : `The slash command "/${name}" is built in; the one of the plugin "${key}" is not registered.`;
    }
    const name = names.find((one) => this.#builtIn.has(one) || this.#running.get(this.tools.owner(one) ?? "")?.source === "bundled");
    if (name === undefined || this.#ports.config.get(`plugins.entries.${key}.allow_tool_override`) === true) return undefined;
    return `The plugin "${key}" would replace the built-in tool "${name}" and nobody agreed to that; its own is not registered.`;
  }

  #say(level: Notice["level"], text: string, hint?: string): void {
    this.#notices.push({ level, text, ...(hint === undefined ? {} : { hint }) });
    if (level !== "info") this.#log.warning(text);
  }
}
