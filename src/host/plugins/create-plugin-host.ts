import type { Check } from "../../contract/common/check.ts";
import type { Notice } from "../../contract/common/notice.ts";
import type { PluginService, PluginListing, ReloadReport } from "../../contract/services/plugin-service.ts";
import type { EnvNeed } from "../../contract/common/availability.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import { refusedNames, type BuiltInNames } from "./consent/built-in-names.ts";
import { choosePlugins, type Choice } from "./consent/choose-plugins.ts";
import { declaredVariables } from "./discovery/declared-variables.ts";
import type { FoundPlugin } from "./discovery/discovery.ts";
import { judge, type Verdict } from "./consent/gate.ts";
import { gateInputs, namesIn } from "./consent/gate-inputs.ts";
import { LaterRegistrations } from "./registry/later-registrations.ts";
import { listingOf } from "./service/listing-of.ts";
import { offerSnapshot } from "./registry/offer.ts";
import { createContext } from "./registry/plugin-context.ts";
import { createPluginService } from "./service/plugin-service.ts";
import { pluginSettings } from "./registry/plugin-settings.ts";
import { PluginRuntime } from "./registry/plugin-runtime.ts";
import type { PluginServices } from "./registry/plugin-services.ts";
import { absentHooks, brokenPromises, emptyRecording, registersSame, type Registered } from "./registry/registered.ts";
import { mayReplace } from "./consent/replaced-tools.ts";
import { createRegistries, type Registries } from "./registry/registries.ts";
import { isOutdated, withGiven } from "./discovery/variables-read.ts";
import { PluginNotices, PRECEDENCE } from "./service/plugin-notices.ts";
import type { PluginHost, PluginPorts } from "./registry/plugin-host.ts";
import { withPatience } from "./with-timeout.ts";

/** How long a start waits for a plugin whose files are new. */
const PATIENCE_MS = 10_000;

/** Owns all plugins of a process. They run after `start`. */
export function createPluginHost(ports: PluginPorts): PluginHost {
  return new Host(ports);
}

class Host implements PluginHost {
  readonly #ports: PluginPorts;
  #services: PluginServices | undefined;
  #started = false;
  readonly #log: Logger;
  readonly #runtimes = new Map<string, PluginRuntime>();
  readonly #registered = new Map<string, Registered>();
  readonly #failures = new Map<string, string>();
  readonly #running = new Map<string, FoundPlugin>();
  /** The settings with which a plugin registered. */
  readonly #decided = new Map<string, string | undefined>();
  #reloaded: Promise<unknown> = Promise.resolve();
  readonly #notices: PluginNotices;
  #builtIn: ReadonlySet<string> = new Set();
  readonly #builtInNames: BuiltInNames = {
    command: (name) => this.#ports.reserved?.command?.(name) === true,
    tool: (name) => this.#builtIn.has(name) || this.#running.get(this.tools.owner(name) ?? "")?.source === "bundled",
    cli: (word) => this.#ports.reserved?.word?.(word) === true,
    agreed: (key, tool) => mayReplace({ key, source: "user" }, tool, (path) => this.#ports.settings.config.get(path)),
  };
  /** The checks that plugins added to `hermes doctor`. */
  readonly #looks = new Map<string, () => Promise<readonly Check[]>>();
  readonly #later = new LaterRegistrations((text) => this.#notices.say("warning", text));
  readonly service: PluginService;
  readonly tools: Registries["tools"];
  readonly toolsets: Registries["toolsets"];
  readonly hooks: Registries["hooks"];
  readonly middlewares: Registries["middlewares"];
  readonly commands: Registries["commands"];
  readonly cli: Registries["cli"];
  readonly skills: Registries["skills"];
  readonly slots: Registries["slots"];

  constructor(ports: PluginPorts) {
    this.#ports = ports;
    this.#log = ports.log.child("plugins");
    this.#notices = new PluginNotices(this.#log);
    const registries = createRegistries({
      log: this.#log,
      clock: ports.clock,
      config: (path) => ports.settings.config.get(path),
      waiting: (provider) => this.#waiting(provider),
    });
    ({
      tools: this.tools,
      toolsets: this.toolsets,
      hooks: this.hooks,
      middlewares: this.middlewares,
      commands: this.commands,
      cli: this.cli,
      skills: this.skills,
      slots: this.slots,
    } = registries);
    this.service = createPluginService({ ...ports, log: this.#log }, this, () => this.#bound());
  }

  get notices(): readonly Notice[] {
    return this.#notices.all;
  }

  /**
   * Offers every plugin that may run: from its snapshot without loading its code, or by registering it now if its files
   * are new or changed. Reports a plugin that fails, and leaves it out. Never rejects.
   */
  async start(services: PluginServices): Promise<void> {
    if (this.#services !== undefined)
      throw new Error("The plugins are already started. Call start(services) only once.");
    this.#services = services;
    const { index } = this.#ports.installed;
    if (this.#absent().some((name) => index.mayBeNew(name))) await index.rescan("ask-python");
    const { run } = this.#plan();
    for (const plugin of run) await this.#start(plugin);
    this.#builtIn = new Set([
      ...this.#builtIn,
      ...this.tools
        .list()
        .flatMap(({ owner, value }) =>
          this.#running.get(owner)?.source === "bundled" ? [value.declaration.name, ...value.declaration.aliases] : [],
        ),
    ]);
    index.save();
    this.#started = true;
  }

  get started(): boolean {
    return this.#started;
  }

  /** One at a time: a concurrent second one sees the result of the first. */
  reload(): Promise<ReloadReport> {
    const reloaded = this.#reloaded.then(() => this.#reload());
    this.#reloaded = reloaded.catch(() => undefined);
    return reloaded;
  }

  async #reload(): Promise<ReloadReport> {
    const began = performance.now();
    this.#bound();
    await this.#ports.settings.reread();
    await this.#ports.installed.index.rescan();
    this.#notices.clear();
    const { run } = this.#plan();
    const wanted = new Map(run.map((plugin) => [plugin.key, plugin]));
    const stopped: string[] = [];
    const outdated = new Set<string>();
    for (const [key, before] of this.#running) {
      const now = wanted.get(key);
      if (isOutdated(this.#registered.get(key) ?? {}, before.manifest, this.#ports.settings.environment, true))
        outdated.add(key);
      if (
        now !== undefined &&
        now.dir === before.dir &&
        JSON.stringify(now.files) === JSON.stringify(before.files) &&
        !this.#failures.has(key) &&
        !outdated.has(key) &&
        this.#decided.get(key) === this.#decidingSettings(now)
      )
        continue;
      await this.unload(key);
      if (now === undefined) stopped.push(key);
    }
    const started = run.filter(({ key }) => !this.#running.has(key));
    for (const plugin of started) await this.#start(plugin, outdated.has(plugin.key));
    // Hooks run in the order of discovery, not in the order in which plugins finish.
    this.hooks.reorder(run.map(({ key }) => key));
    this.#ports.installed.index.save();
    const faults = started.flatMap((plugin) =>
      this.faults(plugin, this.#registered.get(plugin.key) ?? emptyRecording()),
    );
    return { started: started.map((plugin) => this.listing(plugin)), stopped, faults, ms: performance.now() - began };
  }

  faults(plugin: FoundPlugin, registered: Registered): readonly string[] {
    const names = [
      ...registered.commands.map(({ name, aliases = [] }) => ["command", [name, ...aliases]] as const),
      ...registered.cli.map(({ name }) => ["cli", [name]] as const),
    ];
    const taken = names.flatMap(([kind, those]) => refusedNames(plugin, kind, those, this.#builtInNames) ?? []);
    return [
      ...registered.refused,
      ...taken,
      ...absentHooks(plugin.key, registered),
      ...brokenPromises(plugin.key, plugin.manifest, registered),
    ];
  }

  isBuiltIn(tool: string): boolean {
    return this.#builtIn.has(tool);
  }

  declaredEnv(owner: string): readonly EnvNeed[] {
    const plugin = this.#running.get(owner);
    return plugin === undefined
      ? []
      : declaredVariables(
          plugin,
          (this.#registered.get(owner)?.tools ?? []).flatMap(({ env }) => env),
          this.#ports.settings.environment,
        );
  }

  async checks(): Promise<readonly Check[]> {
    return (
      await Promise.all(
        [...this.#looks].map(([name, look]) =>
          look().catch((cause: unknown): readonly Check[] => [
            { name, ok: false, detail: cause instanceof Error ? cause.message : String(cause) },
          ]),
        ),
      )
    ).flat();
  }

  settled(): Promise<void> {
    return this.#later.settled();
  }

  configSection(owner: string): string {
    return this.#running.get(owner)?.manifest.config?.section ?? `plugins.entries.${owner}`;
  }

  async unload(key: string): Promise<boolean> {
    const runtime = this.#runtimes.get(key);
    if (runtime === undefined) return false;
    this.#runtimes.delete(key);
    this.#running.delete(key);
    this.#registered.delete(key);
    this.#failures.delete(key);
    this.#looks.delete(key);
    await runtime.unload();
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Unload the users of a provider before the provider.
    const provides = (key: string): boolean => (this.#registered.get(key)?.providers.length ?? 0) > 0;
    const keys = [...this.#runtimes.keys()];
    for (const some of [keys.filter((key) => !provides(key)), keys.filter(provides)])
      await Promise.all(some.map((key) => this.unload(key)));
    await this.#ports.hosts?.[Symbol.asyncDispose]();
  }

  listing(plugin: FoundPlugin): PluginListing {
    const running = this.#running.get(plugin.key);
    const mine = running !== undefined && running.dir === plugin.dir && running.source === plugin.source;
    const failure = mine ? this.#failures.get(plugin.key) : undefined;
    const registered = (mine ? this.#registered.get(plugin.key) : undefined) ?? plugin.registered;
    const state = this.#stateOf(plugin, running, mine, failure);
    const pin = plugin.source === "bundled" ? undefined : this.#ports.installed.pins.get(plugin.dir);
    return listingOf(plugin, { state, registered, pin, environment: this.#ports.settings.environment });
  }

  #bound(): PluginServices {
    if (this.#services === undefined)
      throw new Error("The plugins were used before they were started. Call start(services) first.");
    return this.#services;
  }

  #waiting(provider: string): string | undefined {
    const { index } = this.#ports.installed;
    const off = [...index.own, ...index.bundled]
      .map((plugin) => this.listing(plugin))
      .filter(({ state }) => state !== "enabled");
    // Of a plugin that never ran, only the name of its provider is known.
    const found =
      off.find(({ registered }) => registered.providers.includes(provider)) ??
      off.find(({ manifest }) => manifest.name === provider.slice(provider.indexOf("/") + 1));
    return found?.because === "asked" || found?.because === "off"
      ? `The plugin "${found.key}" is not running: ${found.reason}`
      : found?.reason;
  }

  #stateOf(
    plugin: FoundPlugin,
    running: FoundPlugin | undefined,
    mine: boolean,
    failure: string | undefined,
  ): Verdict | { readonly state: "shadowed" | "failed"; readonly reason: string } {
    const verdict = judge(plugin, gateInputs(this.#ports));
    if (verdict.state !== "enabled") return verdict;
    if (running !== undefined && !mine)
      return {
        state: "shadowed",
        reason: `the plugin in ${running.dir} has the same name and comes later (order: ${PRECEDENCE})`,
      };
    return failure === undefined ? verdict : { state: "failed", reason: failure };
  }

  /** Decides which plugins run now; what the user should know about the others becomes a notice. */
  #plan(): Choice {
    const { index } = this.#ports.installed;
    this.#builtIn = new Set(
      index.bundled.flatMap(({ registered }) =>
        (registered?.tools ?? []).flatMap(({ name, aliases }) => [name, ...aliases]),
      ),
    );
    const choice = choosePlugins(index.bundled, index.own, gateInputs(this.#ports));
    this.#notices.ofChoice(choice, this.#absent());
    return choice;
  }

  #absent(): readonly string[] {
    const { own, bundled } = this.#ports.installed.index;
    const known = new Set([...own, ...bundled].flatMap(({ key, manifest }) => [key, manifest.name]));
    return [...namesIn(this.#ports.settings.config, "plugins.enabled")].filter((name) => !known.has(name));
  }

  /** @param again Registers it even if its snapshot seems to be valid. */
  async #start(found: FoundPlugin, again = false): Promise<void> {
    const plugin = withGiven(found, this.#ports.settings.config);
    const { key, manifest } = plugin;
    const settings = this.#decidingSettings(plugin);
    const registered =
      again ||
      plugin.registered === undefined ||
      settings !== undefined ||
      isOutdated(plugin.registered, manifest, this.#ports.settings.environment)
        ? undefined
        : plugin.registered;
    const recording = emptyRecording();
    const runtime = new PluginRuntime({
      key,
      dir: plugin.dir,
      bundled: plugin.source === "bundled",
      exclusive: manifest.kind === "exclusive",
      entry: plugin.entry,
      refusal: () => (plugin.foreign === true ? this.#ports.installed.pins.refusal(plugin) : undefined),
      remote: this.#ports.hosts?.remote(plugin),
      log: this.#log,
      failed: (reason) => this.#failures.set(key, reason),
      activated: () => void (settings === undefined && this.#remember(plugin, registered, recording)),
      context: (self) =>
        createContext(
          {
            plugin: {
              key,
              manifest,
              dir: plugin.dir,
              shipped: plugin.source === "bundled",
              foreign: plugin.foreign === true,
            },
            log: this.#log.child(key),
            registration: {
              registries: this,
              recording,
              registering: (work, options) => this.#later.expect(work, options),
              tools: () => this.tools.list(),
              refusal: (kind, names) => refusedNames(plugin, kind, names, this.#builtInNames),
            },
            settings: {
              config: () => this.#configOf(plugin),
              setting: (path) => this.#ports.settings.config.get(path),
              env: (name) => this.#ports.settings.environment.get(name),
            },
            services: this.#bound(),
            doctor: (look) => void this.#looks.set(key, look),
          },
          self,
        ),
    });
    this.#runtimes.set(key, runtime);
    this.#decided.set(key, settings);
    this.#running.set(key, plugin);
    if (registered === undefined) {
      this.#registered.set(key, recording);
      const activation = runtime.activate();
      try {
        if ((await withPatience(activation, this.#ports.patienceMs ?? PATIENCE_MS)) === "late") {
          // Sessions that begin later get the registrations that arrive meanwhile.
          activation.then(
            () => this.#ports.installed.index.save(),
            () => this.#registered.delete(key),
          );
          return this.#notices.say(
            "warning",
            `The plugin "${key}" is still loading; continuing without it.`,
            `Run \`hermes plugins enable ${key}\` once: it waits until the plugin is loaded, and later starts are fast.`,
          );
        }
      } catch {
        // `failed` and the log report it; the agent continues without it.
        this.#registered.delete(key);
        this.#notices.add({
          level: "error",
          text: `The plugin "${key}" failed: ${this.#failures.get(key) ?? "unknown"}`,
          hint: `hermes plugins ${(await this.#lacks(plugin)) ? "enable" : "disable"} ${key}`,
        });
        return;
      }
    } else {
      this.#registered.set(key, registered);
      offerSnapshot(runtime, registered, this, this.#ports.home, (kind, names) => {
        const reason = refusedNames(plugin, kind, names, this.#builtInNames);
        if (reason !== undefined)
          this.#notices.say(
            "warning",
            reason,
            kind === "tool" ? `Run \`hermes plugins enable ${key}\` to agree to it.` : undefined,
          );
        return reason !== undefined;
      });
      if (plugin.source !== "bundled") runtime.offered();
    }
    // The log already has the messages of a plugin that is registered again.
    for (const text of recording.refused) this.#notices.add({ level: "warning", text });
    for (const text of registered?.refused ?? []) this.#notices.say("warning", text);
    for (const text of absentHooks(key, registered ?? recording)) this.#notices.add({ level: "warning", text });
    for (const text of brokenPromises(key, manifest, this.#registered.get(key) ?? recording))
      this.#notices.say(plugin.source === "bundled" ? "info" : "warning", text);
  }

  /** For the next start. A plugin that registers something else than its snapshot says is saved at once. */
  #remember(plugin: FoundPlugin, offered: Registered | undefined, recording: Registered): void {
    const { index } = this.#ports.installed;
    if (offered !== undefined && (plugin.source === "bundled" || registersSame(offered, recording))) return;
    index.remember(plugin, JSON.parse(JSON.stringify(recording)) as Registered);
    if (offered !== undefined) index.save();
  }

  /** The settings that decide what it registers, as text; `undefined` if there are none. */
  #decidingSettings(plugin: FoundPlugin): string | undefined {
    const settings = plugin.manifest.config?.registers === true ? this.#configOf(plugin) : {};
    return Object.keys(settings).length === 0 ? undefined : JSON.stringify(settings);
  }

  async #lacks(plugin: FoundPlugin): Promise<boolean> {
    const {
      home,
      installed: { index, path },
    } = this.#ports;
    return (
      plugin.source !== "bundled" &&
      (await import("./packages/missing-packages.ts")).missingOf(plugin, home, path, index.python).length > 0
    );
  }

  #configOf(plugin: FoundPlugin): JsonObject {
    return pluginSettings(plugin, (path) => this.#ports.settings.config.get(path));
  }
}
