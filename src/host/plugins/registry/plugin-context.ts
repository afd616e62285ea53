import { shownOf, toSettled } from "../../../contract/tools/outcome.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { PluginContext } from "../../../contract/plugins/plugin.ts";
import { BREACH } from "./contract-breach.ts";
import { declaredVariables } from "../discovery/declared-variables.ts";
import { originalMembers } from "../discovery/original-members.ts";
import type { PluginRuntime } from "./plugin-runtime.ts";
import { recordRefused } from "./refused-registration.ts";
import { recordReads } from "../discovery/variables-read.ts";
import type { ContextPorts } from "./context-ports.ts";
import { NOTHING, registrationMembers } from "./registration-members.ts";
import { conversationMembers, networkMembers, storedMembers } from "./service-members.ts";

/** The public plugin API, as one plugin sees it. */
export function createContext(ports: ContextPorts, runtime: PluginRuntime): PluginContext {
  const { plugin, log, settings, services } = ports;
  const { key, manifest } = plugin;
  const { registries, recording } = ports.registration;
  const warned = new Set<string>();
  let storage: PluginContext["storage"] | undefined;
  const refuse = (reason: string): Disposable => {
    const text = `One registration of the plugin "${key}" is left out: ${reason}`;
    recording.refused.push(text);
    log.warning(text, BREACH);
    return NOTHING;
  };
  const inject = (text: string): boolean => {
    const taken = services.conversations.inject(text);
    if (!taken)
      log.warning(
        `A message of "${key}" (inject_message) was dropped: no conversation is open that could show its turn, such as \`hermes\` in a terminal or a chat.`,
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
    skills: services.skills,
    log,
    get config() {
      return settings.config();
    },
    setting: (path) => settings.setting(path),
    signal: runtime.signal,
    env(name) {
      if (isDeclared(name)) return settings.env(name);
      if (!warned.has(name))
        log.warning(`The plugin "${key}" read the variable ${name}, which it does not declare.`, BREACH);
      warned.add(name);
      return undefined;
    },
    ...registrationMembers(ports, runtime, refuse),
    ...conversationMembers(ports),
    ...networkMembers(ports, runtime),
    ...storedMembers(ports, isDeclared),
    tools: () =>
      ports.registration.tools().map(({ name, owner, value }) => ({ name, toolset: value.declaration.toolset, owner })),
    use: (slot, id) => registries.slots.use(slot, id),
    get storage() {
      return (storage ??= services.state.storage(key));
    },
    changeFile: (path, change) => services.state.changeFile(path, change),
    package: (name) => services.package({ key, dir: plugin.dir }, name),
    llm: (request, signal) => services.llm(key, request, signal),
    redact: (text) => services.redact(text),
    registering: ports.registration.registering,
    doctor: ports.doctor,
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
