import { UserError } from "../../../contract/common/failure.ts";
import type { PluginContext } from "../../../contract/plugins/plugin.ts";
import type { PluginRuntime } from "./plugin-runtime.ts";
import type { ContextPorts } from "./context-ports.ts";

type ConversationMembers = Pick<PluginContext, "sessions" | "jobs" | "chats" | "call">;
type NetworkMembers = Pick<PluginContext, "fetch" | "socket" | "proxy" | "browserReturn">;
type StoredMembers = Pick<PluginContext, "saveConfig" | "secrets">;

export function conversationMembers({ plugin, services }: ContextPorts): ConversationMembers {
  const { key, manifest } = plugin;
  const declared = manifest.grants?.tools ?? [];
  return {
    sessions: services.conversations.sessions,
    jobs: () => services.conversations.jobs(),
    chats: () => services.conversations.chats(),
    call: async (tool, args, options) => {
      const denied =
        plugin.foreign === true ? await services.conversations.mayCall({ key, declared }, tool, args) : undefined;
      if (denied !== undefined) return denied;
      return options?.sessionId === undefined
        ? services.conversations.call(key, tool, args)
        : services.conversations.call(key, tool, args, options.sessionId);
    },
  };
}

/** Ends with the plugin. */
export function networkMembers(
  { plugin: { key }, services }: ContextPorts,
  runtime: Pick<PluginRuntime, "signal">,
): NetworkMembers {
  return {
    fetch: (url, options) => services.network.fetch(key)(url, { signal: runtime.signal, ...options }),
    socket: (url, options) =>
      services.network.socket(key)(url, {
        ...options,
        signal: options?.signal === undefined ? runtime.signal : AbortSignal.any([options.signal, runtime.signal]),
      }),
    proxy: (options) => services.network.proxy(options),
    browserReturn: (place) => services.network.browserReturn(place),
  };
}

/** The settings and secrets that only bundled plugins may write. */
export function storedMembers(
  { plugin, services }: ContextPorts,
  isDeclared: (variable: string) => boolean,
): StoredMembers {
  const { key, manifest } = plugin;
  return {
    saveConfig: async (path, value) => {
      // The entry of a plugin from elsewhere also contains the user's permissions for it.
      if (!plugin.shipped)
        throw new UserError(
          `The plugin "${key}" may not write config.yaml. Only the user may, with hermes config set.`,
        );
      await services.state.saveConfig(`${manifest.config?.section ?? `plugins.entries.${key}`}.${path}`, value);
    },
    secrets: {
      read: async (name) => (isDeclared(name) ? services.state.secrets.read(name) : undefined),
      async write(values) {
        const untrusted = Object.keys(values).find((name) => !isDeclared(name));
        if (!plugin.shipped || untrusted !== undefined)
          throw new UserError(
            `The plugin "${key}" may not write ${untrusted ?? "variables"}. Only the user may, with hermes config set.`,
          );
        await services.state.secrets.write(values);
      },
    },
  };
}
