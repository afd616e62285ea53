import { existsSync } from "node:fs";
import type { CliCommand, SlashCommand } from "../../../contract/conversation/command.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { HookHandler, HookName, HookOptions, Middleware, MiddlewareKind } from "../../../contract/plugins/hook.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import { shownOf, toSettled } from "../../../contract/tools/outcome.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { PluginContext, PluginManifest } from "../../../contract/plugins/plugin.ts";
import type { PluginSkill } from "../../../contract/plugins/skill.ts";
import type { Slots } from "../../../contract/plugins/slot.ts";
import { USED_SLOTS, type SlotName } from "../../../contract/plugins/slot-name.ts";
import type { AnyTool } from "../../../contract/tools/tool.ts";
import type { Toolset } from "../../../contract/tools/toolset.ts";
import { declare } from "../../../engine/tools/tool-declaration.ts";
import { BREACH } from "./contract-breach.ts";
import { BUILT_IN_TASKS } from "./built-in-tasks.ts";
import { declaredVariables } from "../discovery/declared-variables.ts";
import { describeProvider } from "./describe-provider.ts";
import { originalMembers } from "../discovery/original-members.ts";
import type { PluginRuntime } from "./plugin-runtime.ts";
import type { PluginServices } from "./plugin-services.ts";
import type { Recording } from "./registered.ts";
import type { Registries } from "./registries.ts";
import { recordRefused, unlessWrong } from "./refused-registration.ts";
import { checkHook, checkMiddleware } from "./registration-shape.ts";
import { recordReads } from "../discovery/variables-read.ts";

export interface ContextPorts {
  readonly plugin: ContextPlugin;
  readonly log: Logger;
  readonly registration: RegistrationPorts;
  readonly settings: ContextSettings;
  readonly services: PluginServices;
  readonly doctor: PluginContext["doctor"];
}

/** Which plugin it is, and where it comes from. */
export interface ContextPlugin {
  readonly key: string;
  readonly manifest: PluginManifest;
  readonly dir: string;
  /** It ships with the agent. */
  readonly shipped: boolean;
  /** It is a third party's: its manifest limits what it gets. */
  readonly foreign?: boolean;
}

/** Where the plugin's registrations go. */
export interface RegistrationPorts {
  readonly registries: Registries;
  /** Records registrations as data. */
  readonly recording: Recording;
  readonly registering: PluginContext["registering"];
  /** All registered tools, including the plugin's own. */
  tools(): ReturnType<Registries["tools"]["list"]>;
  /** Why this plugin may not register a tool or command of that name; `undefined` if it may. */
  refusal(kind: "tool" | "command" | "cli", names: readonly string[]): string | undefined;
}

export interface ContextSettings {
  /** The plugin's own section. */
  config(): JsonObject;
  setting(path: string): Json | undefined;
  env(name: string): string | undefined;
}

const NOTHING: Disposable = { [Symbol.dispose]: () => undefined };

/** The public door, as one plugin sees it. */
export function createContext(ports: ContextPorts, runtime: PluginRuntime): PluginContext {
  const { plugin, log, settings, services } = ports;
  const { key, manifest } = plugin;
  const { registries, recording } = ports.registration;
  const warned = new Set<string>();
  let storage: PluginContext["storage"] | undefined;
  const refused = (kind: "tool" | "command" | "cli", names: readonly string[]): boolean => {
    const reason = ports.registration.refusal(kind, names);
    if (reason !== undefined) log.warning(reason, BREACH);
    return reason !== undefined;
  };
  const refuse = (reason: string): Disposable => {
    const text = `The plugin "${key}" goes without one registration: ${reason}`;
    recording.refused.push(text);
    log.warning(text, BREACH);
    return NOTHING;
  };
  const inject = (text: string): boolean => {
    const taken = services.conversations.inject(text);
    if (!taken)
      log.warning(
        `A message of "${key}" (inject_message) was not taken in: no conversation is open that would show its turn, as \`hermes\` in a terminal and chats do.`,
      );
    return taken;
  };

  const isDeclared = (name: string): boolean =>
    declaredVariables(
      plugin,
      recording.tools.flatMap(({ env }) => env),
      { get: (one) => settings.env(one) },
    ).some((need) => need.name === name);

  const context: PluginContext = {
    id: key,
    version: manifest.version,
    dir: plugin.dir,
    home: services.state.home,
    sessions: services.conversations.sessions,
    skills: services.skills,
    jobs: () => services.conversations.jobs(),
    chats: () => services.conversations.chats(),
    log,
    get config() {
      return settings.config();
    },
    setting: (path) => settings.setting(path),
    signal: runtime.signal,
    env(name) {
      if (isDeclared(name)) return settings.env(name);
      if (!warned.has(name))
        log.warning(`The plugin "${key}" asked for the variable ${name}, which it does not declare.`, BREACH);
      warned.add(name);
      return undefined;
    },
    tool(tool: AnyTool) {
      const declaration = unlessWrong(refuse, () => declare(tool));
      if (declaration === undefined) return NOTHING;
      recording.tools.push(declaration);
      if (refused("tool", [declaration.name, ...declaration.aliases])) return NOTHING;
      const loaded = Promise.resolve(tool);
      return runtime.claim("tool", declaration.name, tool, () =>
        registries.tools.add(declaration.name, { declaration, load: () => loaded }, key),
      );
    },
    tools: () =>
      ports.registration.tools().map(({ name, owner, value }) => ({ name, toolset: value.declaration.toolset, owner })),
    toolset(toolset: Toolset) {
      const plain: Toolset = {
        name: toolset.name,
        description: toolset.description,
        tools: toolset.tools ?? [],
        includes: toolset.includes ?? [],
      };
      recording.toolsets.push(plain);
      return runtime.claim("toolset", plain.name, plain, () => registries.toolsets.add(plain.name, plain, key));
    },
    provide<S extends SlotName>(slot: S, provider: Slots[S]) {
      const described = describeProvider(provider);
      const { id, label } = described;
      if (id === "") throw new UserError(`A ${slot} provider of "${key}" has no name.`);
      if (slot === "auxiliary" && BUILT_IN_TASKS.has(id))
        return refuse(
          `The auxiliary task "${id}" is built in; call yours "${manifest.name.replaceAll(/\W/g, "_")}_${id}", for example.`,
        );
      if (!USED_SLOTS.has(slot))
        log.info(`The ${slot} provider "${id}" is registered; nothing of this version asks that slot yet.`);
      recording.providers.push({
        slot,
        id,
        label,
        get data() {
          return described.data;
        },
      });
      const loaded = Promise.resolve(provider);
      return runtime.claim("provider", `${slot}/${id}`, provider, () =>
        registries.slots.add(slot, { id, label, data: described.data, load: () => loaded }, key),
      );
    },
    use: (slot, id) => registries.slots.use(slot, id),
    hook<K extends HookName>(name: K, handler: HookHandler<K>, options?: HookOptions) {
      checkHook(key, name, handler);
      recording.hooks.push({ name, options });
      return runtime.claim("hook", name, handler, () => registries.hooks.add(name, handler, key, options));
    },
    middleware<K extends MiddlewareKind>(kind: K, middleware: Middleware<K>) {
      checkMiddleware(key, kind, middleware);
      recording.middleware.push(kind);
      return runtime.claim("middleware", kind, middleware, () => registries.middlewares.add(kind, middleware, key));
    },
    command(command: SlashCommand) {
      const name = commandName(command.name);
      if (name === "" || typeof command.run !== "function")
        return refuse(`The slash command ${JSON.stringify(command.name)} needs a name and a run function.`);
      const named: SlashCommand = {
        ...command,
        name,
        run: command.run.bind(command),
        ...(command.complete === undefined ? {} : { complete: command.complete.bind(command) }),
      };
      const { run: _run, complete, ...data } = named;
      recording.commands.push({ ...data, completes: complete !== undefined });
      if (refused("command", [name, ...(command.aliases ?? [])])) return NOTHING;
      return runtime.claim("command", name, named, () => registries.commands.add(name, named, key));
    },
    cli(command: CliCommand) {
      if (typeof command.run !== "function") return refuse(`The command "${command.name}" has no run function.`);
      if (!/^[^\s<>[\]-][^\s<>[\]]*$/.test(command.name))
        return refuse(`A command is one word, not ${JSON.stringify(command.name)}.`);
      const { run: _run, ...data } = command;
      recording.cli.push(data);
      if (refused("cli", [command.name])) return NOTHING;
      return runtime.claim("cli", command.name, command, () => registries.cli.add(command.name, command, key));
    },
    fetch: (url, options) => services.network.fetch(key)(url, { signal: runtime.signal, ...options }),
    socket: (url, options) =>
      services.network.socket(key)(url, {
        ...options,
        signal: options?.signal === undefined ? runtime.signal : AbortSignal.any([options.signal, runtime.signal]),
      }),
    proxy: (options) => services.network.proxy(options),
    browserReturn: (place) => services.network.browserReturn(place),
    skill(skill: PluginSkill) {
      if (!/^[a-zA-Z0-9_-]+$/.test(skill.name))
        return refuse(`A skill cannot be named ${JSON.stringify(skill.name)}: letters, digits, _ and -.`);
      if (!existsSync(skill.path)) return refuse(`The skill "${skill.name}" has no file ${skill.path}.`);
      const qualified = `${manifest.name}:${skill.name}`;
      recording.skills.push({ ...skill, qualified });
      return runtime.claim("skill", qualified, skill, () => registries.skills.add(qualified, skill, key));
    },
    call: (tool, args, options) =>
      options?.sessionId === undefined
        ? services.conversations.call(key, tool, args)
        : services.conversations.call(key, tool, args, options.sessionId),
    get storage() {
      return (storage ??= services.state.storage(key));
    },
    changeFile: (path, change) => services.state.changeFile(path, change),
    package: (name) => services.package({ key, dir: plugin.dir }, name),
    llm: (request, signal) => services.llm(key, request, signal),
    redact: (text) => services.redact(text),
    registering: ports.registration.registering,
    doctor: ports.doctor,
    saveConfig: async (path, value) => {
      // Beside a stranger's settings stands what its person allows it.
      if (!plugin.shipped)
        throw new UserError(`The plugin "${key}" may not write config.yaml: hermes config set is for its person.`);
      await services.state.saveConfig(`${manifest.config?.section ?? `plugins.entries.${key}`}.${path}`, value);
    },
    secrets: {
      read: async (name) => (isDeclared(name) ? services.state.secrets.read(name) : undefined),
      async write(values) {
        const untrusted = Object.keys(values).find((name) => !isDeclared(name));
        if (!plugin.shipped || untrusted !== undefined)
          throw new UserError(
            `The plugin "${key}" may not write ${untrusted ?? "variables"}: hermes config set is for its person.`,
          );
        await services.state.secrets.write(values);
      },
    },
    onUnload: (cleanup) => runtime.onUnload(cleanup),

    ...originalMembers({
      name: manifest.name,
      context: () => context,
      refuse,
      inject,
      dispatch: async (tool, args, sessionId) =>
        textOf(shownOf(toSettled(await context.call(tool, args, sessionId === undefined ? {} : { sessionId })))),
    }),
  };
  recordRefused(context, refuse);
  recordReads(context, manifest, recording, { get: (name) => settings.env(name) });
  return Object.freeze(context);
}

/** As people may write it: `/My Status` is `my-status`. */
function commandName(name: string): string {
  return String(name).trim().toLowerCase().replace(/^\//, "").replace(/\s+/g, "-");
}
