import { pathToFileURL } from "node:url";
import type { CliCommand, SlashCommand } from "../../../contract/conversation/command.ts";
import { ToolFailure } from "../../../contract/common/failure.ts";
import type { Recorded } from "../../../contract/conversation/fact.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { ToolOutcome } from "../../../contract/tools/outcome.ts";
import type { LlmAnswer, LlmRequest, PluginContext } from "../../../contract/plugins/plugin.ts";
import type { PluginSkill } from "../../../contract/plugins/skill.ts";
import type { AnyTool } from "../../../contract/tools/tool.ts";
import { isCompatTool } from "../../../engine/tools/compat-tool.ts";
import { DEPRECATED_MEMBERS } from "../../../engine/approval/assess-by-members.ts";
import { declare } from "../../../engine/tools/tool-declaration.ts";
import { describeProvider } from "../../../host/plugins/registry/describe-provider.ts";
import { originalMembers } from "../../../host/plugins/discovery/original-members.ts";
import { unlessWrong } from "../../../host/plugins/registry/refused-registration.ts";
import { checkHook, checkMiddleware } from "../../../host/plugins/registry/registration-shape.ts";
import { callOf } from "./call-of.ts";
import { childBrowserReturn } from "./child-browser-return.ts";
import { childServices } from "./child-services.ts";
import { fetchThrough } from "./child-fetch.ts";
import { logger } from "./child-log.ts";
import { childProxy } from "./child-proxy.ts";
import { HERE_ONLY, NEEDS_AGENT } from "../../serve/needs-agent.ts";
import type { PluginSide } from "./plugin-side.ts";
import { askNow } from "./sync-channel.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

const NOTHING: Disposable = { [Symbol.dispose]: () => undefined };

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

  const session = (what: string, id: Json, seq: Json = null, whose?: string) =>
    ask("ctx.sessions", definedFields({ what, id, seq, whose }));

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
    tool(tool: AnyTool) {
      const declaration = unlessWrong(refuse, () => declare(tool));
      if (declaration === undefined) return NOTHING;
      if (declaration.dynamicDescription)
        throw mustBeHere(key, `the description of the tool "${declaration.name}" is a function`);
      if (declaration.promptFiles !== undefined)
        throw mustBeHere(key, `the tool "${declaration.name}" adds to the system prompt`);
      const has = [
        ...(["assess", ...DEPRECATED_MEMBERS, "toModel"] as const).filter((each) => tool[each] !== undefined),
        ...(isCompatTool(tool) ? ["seeds"] : []),
      ];
      return plugin.register({ kind: "tool", real: tool }, declaration.name, {
        name: declaration.name,
        declaration,
        has,
        secrets: tool.secrets as unknown as Json,
      });
    },
    toolset: (toolset) =>
      plugin.register({ kind: "toolset", real: toolset }, toolset.name, { name: toolset.name, toolset }),
    provide(slot, provider) {
      if (HERE_ONLY.includes(slot)) throw mustBeHere(key, `it provides a ${slot}`);
      const { id, label, data } = describeProvider(provider);
      return plugin.register({ kind: "provider", real: provider }, `${slot}/${id}`, { slot, id, label, data });
    },
    use: async (slot, id) => plugin.objects.decode(await ask("ctx.use", definedFields({ slot, id })), signal) as never,
    hook(hook, handler, options) {
      checkHook(key, hook, handler);
      return plugin.register({ kind: "hook", real: handler }, hook, { name: hook, options });
    },
    middleware(kind, middleware) {
      checkMiddleware(key, kind, middleware);
      return plugin.register({ kind: "middleware", real: middleware }, kind, { name: kind });
    },
    command(command: SlashCommand) {
      if (typeof command.run !== "function")
        return refuse(`The slash command ${JSON.stringify(command.name)} needs a name and a run function.`);
      const { name: word, description, argsHint, aliases } = command;
      return plugin.register({ kind: "command", real: command }, word, {
        name: word,
        description,
        args_hint: argsHint ?? "",
        aliases,
        completes: command.complete !== undefined,
      });
    },
    cli(command: CliCommand) {
      if (typeof command.run !== "function") return refuse(`The command "${command.name}" has no run function.`);
      const { run: _, ...declared } = command;
      return plugin.register({ kind: "cli", real: command }, command.name, {
        name: command.name,
        description: command.description,
        declared,
      });
    },
    fetch: fetchThrough(plugin),
    get skills() {
      return services.skills;
    },
    skill: (skill: PluginSkill) => plugin.register({ kind: "skill", real: skill }, skill.name, skill),
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
    doctor: (look) => void plugin.register({ kind: "doctor", real: look }, "look", {}),
    browserReturn: childBrowserReturn(key, wire),
    secrets: services.secrets,
    saveConfig: async () => plugin.refuse("saveConfig"),
    // A plugin in a separate process has its own packages.
    package: (wanted) => import(import.meta.resolve(wanted, pathToFileURL(`${dir}/`).href)),
    llm: async (request, stop) => (await ask("ctx.llm", questionOf(request), stop)) as unknown as LlmAnswer,
    redact: (text) => String(askNow("ctx.redact", { plugin: key, text })),
    sessions: {
      list: async (options) =>
        (await session("list", options?.surface ?? null, options?.limit ?? null, options?.whose)) as never,
      search: async (words, options) =>
        (await session("search", words, options?.limit ?? null, options?.whose)) as never,
      find: async (word) => (await session("find", word)) as never,
      latest: async (surface) => (await session("latest", surface ?? null)) as never,
      branch: async (id, seq) => (await session("branch", id, seq ?? null)) as never,
      async *facts(id) {
        yield* (await session("facts", id)) as unknown as readonly Recorded[];
      },
    },
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

function mustBeHere(key: string, why: string): ToolFailure {
  return new ToolFailure(
    NEEDS_AGENT,
    `The plugin "${key}" has to run inside the agent: ${why}. If it is your own, allow that: hermes config set plugins.entries.${key}.host here`,
  );
}
