import { ToolFailure } from "../../../contract/failure.ts";
import type { Json, JsonObject } from "../../../contract/json.ts";
import { shownOf, toSettled } from "../../../contract/outcome.ts";
import { textOf } from "../../../contract/part.ts";
import type { LlmRequest, PluginContext } from "../../../contract/plugin.ts";
import type { CallOptions } from "./host-process.ts";
import { PeerError } from "./peer.ts";

/**
 * What a plugin in another process asks of its context. It is answered in the session of the call it was asked under.
 * @param tools Those the plugin may call; `undefined`: all.
 */
export function serveContext(method: string, params: JsonObject, ctx: PluginContext, tools: readonly string[] | undefined, call: CallOptions | undefined): Json | undefined | Promise<Json | undefined> {
  switch (method) {
    case "ctx.call_tool":
      return callTool(String(params["tool"]), (params["args"] ?? {}) as JsonObject);
    case "ctx.config":
      return ctx.config;
    case "ctx.setting":
      return ctx.setting(String(params["path"])) ?? null;
    case "ctx.env":
      return ctx.env(String(params["name"])) ?? null;
    case "ctx.llm":
      return ctx.llm(requestOf(params), call?.signal).then((answer) => answer as unknown as Json);
    case "ctx.redact":
      return ctx.redact(String(params["text"]));
    case "ctx.inject":
      return ctx.inject_message(String(params["text"]));
    case "ctx.storage.get":
      return ctx.storage.get(String(params["key"])).then((value) => value ?? null);
    case "ctx.storage.set":
      return ctx.storage.set(String(params["key"]), params["value"] ?? null).then(() => null);
    case "ctx.storage.delete":
      return ctx.storage.delete(String(params["key"]));
    case "ctx.storage.keys":
      return ctx.storage.keys().then((keys) => [...keys]);
    case "yaml.parse":
      return parseYaml(String(params["text"]));
    case "yaml.print":
      return import("yaml").then(({ stringify }) => stringify(params["value"]));
    default:
      throw new PeerError(`This version has no answer to "${method}".`, -32601);
  }

  async function callTool(tool: string, args: JsonObject): Promise<Json> {
    if (tools !== undefined && !tools.includes(tool)) throw new ToolFailure("blocked", `The plugin "${ctx.id}" may not call the tool "${tool}": its manifest does not name it in grants.tools.`);
    const outcome = await ctx.call(tool, args);
    return { outcome: outcome as unknown as Json, text: textOf(shownOf(toSettled(outcome))) };
  }
}

async function parseYaml(text: string): Promise<Json> {
  const { parse } = await import("yaml");
  try {
    return { value: (parse(text) as Json | undefined) ?? null };
  } catch (cause) {
    return { error: (cause as Error).message };
  }
}

/** Messages in the wire's words, `{ role, content }`; the system's become the request's system text. */
function requestOf(params: JsonObject): LlmRequest {
  const given = (params["messages"] ?? []) as readonly { readonly role?: string; readonly content?: Json }[];
  const textOfContent = (content: Json | undefined): string => (typeof content === "string" ? content : Array.isArray(content) ? content.map((block) => String((block as JsonObject)["text"] ?? "")).join("") : "");
  const system = given.filter(({ role }) => role === "system").map(({ content }) => textOfContent(content));
  const number = (name: string): number | undefined => (typeof params[name] === "number" ? params[name] : undefined);
  const word = (name: string): string | undefined => (typeof params[name] === "string" ? params[name] : undefined);
  const seconds = number("timeout");
  return {
    system: system.join("\n\n"),
    messages: given.filter(({ role }) => role !== "system").map(({ role, content }) => ({ role: role === "assistant" ? "assistant" : "user", text: textOfContent(content) })),
    ...(number("temperature") === undefined ? {} : { temperature: number("temperature")! }),
    ...(number("max_tokens") === undefined ? {} : { maxOutputTokens: number("max_tokens")! }),
    ...(seconds === undefined ? {} : { timeoutMs: seconds * 1000 }),
    ...(word("provider") === undefined ? {} : { provider: word("provider")! }),
    ...(word("model") === undefined ? {} : { model: word("model")! }),
  };
}
