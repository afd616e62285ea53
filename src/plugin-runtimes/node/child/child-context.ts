import { pathToFileURL } from "node:url";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { ToolOutcome } from "../../../contract/tools/outcome.ts";
import type { LlmAnswer, LlmRequest, PluginContext } from "../../../contract/plugins/plugin.ts";
import { originalMembers } from "../../../host/plugins/discovery/original-members.ts";
import { callOf } from "./call-of.ts";
import { childBrowserReturn } from "./child-browser-return.ts";
import { childRegistrations } from "./child-registrations.ts";
import { childServices } from "./child-services.ts";
import { childSessions } from "./child-sessions.ts";
import { fetchThrough } from "./child-fetch.ts";
import { logger } from "./child-log.ts";
import { childProxy } from "./child-proxy.ts";
import type { PluginSide } from "./plugin-side.ts";
import { askNow } from "./sync-channel.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

/** The public plugin API in a separate process: registrations and requests go over the wire. */
export function childContext(plugin: PluginSide, signal: AbortSignal): PluginContext {
  const { key, name, dir, version, config, wire } = plugin.options;
  const ask = (method: string, params: JsonObject = {}, stop?: AbortSignal) =>
    wire.request(method, { ...params, ...callOf(key) }, stop);
  const callTool = async (tool: string, args: JsonObject, sessionId: string | undefined) =>
    (await ask(
      "ctx.call_tool",
      definedFields({
        tool,
        args,
        session: sessionId,
      }),
    )) as unknown as { readonly outcome: ToolOutcome; readonly text: string };

  const refuse = (reason: string): Disposable =>
    plugin.register({ kind: "refused", real: undefined }, reason, { reason });
  const services = childServices(plugin, () => context);
  const context: PluginContext = {
    id: key,
    version,
    dir,
    home: plugin.options.home,
    log: logger(plugin, ""),
    get config() {
      return (askNow("ctx.config", { plugin: key }) as JsonObject | null) ?? config;
    },
    tools: () => askNow("ctx.tools", { plugin: key }) as unknown as ReturnType<PluginContext["tools"]>,
    setting: (path) => (askNow("ctx.setting", { plugin: key, path }) as JsonObject[string] | null) ?? undefined,
    signal,
    env: (variable) => (askNow("ctx.env", { ...callOf(key), name: variable }) as string | null) ?? undefined,
    ...childRegistrations(plugin, refuse),
    use: async (slot, id) => plugin.objects.decode(await ask("ctx.use", definedFields({ slot, id })), signal) as never,
    fetch: fetchThrough(plugin),
    get skills() {
      return services.skills;
    },
    call: async (tool, args, options) => (await callTool(tool, args, options?.sessionId)).outcome,
    storage: {
      get: async (at) => (await ask("ctx.storage.get", { key: at })) ?? undefined,
      set: async (at, value) => void (await ask("ctx.storage.set", { key: at, value })),
      delete: async (at) => (await ask("ctx.storage.delete", { key: at })) === true,
      keys: async () => (await ask("ctx.storage.keys")) as readonly string[],
    },
    jobs: () => services.jobs(),
    chats: () => services.chats(),
    changeFile: (path, change) => services.changeFile(path, change),
    socket: async () => plugin.refuse("socket"),
    proxy: childProxy(key, wire),
    registering: () => plugin.refuse("registering"),
    browserReturn: childBrowserReturn(key, wire),
    secrets: services.secrets,
    saveConfig: async () => plugin.refuse("saveConfig"),
    // A plugin in a separate process has its own packages.
    package: (wanted) => import(import.meta.resolve(wanted, pathToFileURL(`${dir}/`).href)),
    llm: async (request, stop) => (await ask("ctx.llm", questionOf(request), stop)) as unknown as LlmAnswer,
    redact: (text) => String(askNow("ctx.redact", { plugin: key, text })),
    sessions: childSessions(ask),
    onUnload: (cleanup) => plugin.onUnload(cleanup),

    ...originalMembers({
      name,
      context: () => context,
      refuse,
      inject: (text) => askNow("ctx.inject", { ...callOf(key), text }) === true,
      dispatch: async (tool, args, sessionId) => (await callTool(tool, args, sessionId)).text,
    }),
  };
  return Object.freeze(context);
}

/** In the format of chat completions, with images as data URLs. */
function questionOf({ system, messages, maxOutputTokens, timeoutMs, ...rest }: LlmRequest): JsonObject {
  return {
    ...(rest as JsonObject),
    messages: [
      ...(system === undefined ? [] : [{ role: "system", content: system }]),
      ...messages.map(({ role, text, images = [] }) => ({
        role,
        content:
          images.length === 0
            ? text
            : [
                { type: "text", text },
                ...images.map(({ mediaType, data }) => ({
                  type: "image_url",
                  image_url: { url: `data:${mediaType};base64,${data}` },
                })),
              ],
      })),
    ],
    ...definedFields({ max_tokens: maxOutputTokens, timeout: timeoutMs === undefined ? undefined : timeoutMs / 1000 }),
  };
}
