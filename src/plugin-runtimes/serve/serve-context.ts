import { ToolFailure } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import { shownOf, toSettled } from "../../contract/tools/outcome.ts";
import { textOf, type ImagePart } from "../../contract/conversation/part.ts";
import type { LlmRequest, PluginContext, PluginGrants } from "../../contract/plugins/plugin.ts";
import type { FetchOptions } from "../../contract/providers/web.ts";
import { ruleFor } from "../../safety/urls/blocklist.ts";
import { isOwnSetting } from "../../host/plugins/registry/plugin-settings.ts";
import type { CallOptions } from "../process/call-scope.ts";
import { PeerError } from "../process/peer.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/**
 * Answers requests that a plugin in another process sends through its context, in the session of the call.
 * @param granted The grants of a plugin from elsewhere; `undefined` if it is the user's own.
 */
export function serveContext(
  method: string,
  params: JsonObject,
  ctx: PluginContext,
  granted: PluginGrants | undefined,
  call: CallOptions | undefined,
): Json | undefined | Promise<Json | undefined> {
  switch (method) {
    case "ctx.call_tool":
      return callTool(
        String(params["tool"]),
        (params["args"] ?? {}) as JsonObject,
        typeof params["session"] === "string" ? { sessionId: params["session"] } : {},
      );
    case "ctx.tools":
      return ctx.tools().map((tool) => ({ ...tool }));
    case "ctx.config":
      return ctx.config;
    case "ctx.setting":
      return setting(String(params["path"]));
    case "ctx.env":
      return ctx.env(String(params["name"])) ?? null;
    case "ctx.llm":
      return ctx.llm(requestOf(params), call?.signal).then((answer) => answer as unknown as Json);
    case "ctx.compress":
      return import("./serve-compress.ts").then(({ compressFor }) =>
        compressFor(params, ctx, call?.signal ?? ctx.signal),
      );
    case "ctx.fetch":
      return fetchWhole(String(params["url"]), params);
    case "ctx.sessions":
      return readSessions(params, ctx, granted);
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
      return import("./serve-yaml.ts").then(({ parseYaml }) => parseYaml(String(params["text"])));
    case "yaml.print":
      return import("./serve-yaml.ts").then(({ printYaml }) => printYaml(params["value"] ?? null, params["whole"]));
    default:
      throw new PeerError(`This version does not support "${method}".`, -32601);
  }

  async function callTool(tool: string, args: JsonObject, options: { readonly sessionId?: string }): Promise<Json> {
    if (granted !== undefined && options.sessionId !== undefined)
      throw new ToolFailure(
        "blocked",
        `The plugin "${ctx.id}" is not your own and may call tools only in its current session.`,
      );
    const outcome = await ctx.call(tool, args, options);
    return { outcome: outcome as unknown as Json, text: textOf(shownOf(toSettled(outcome))) };
  }

  /** A plugin from elsewhere sees only its own section. */
  function setting(path: string): Json {
    return granted !== undefined && !isOwnSetting(ctx.id, path) ? null : (ctx.setting(path) ?? null);
  }

  /** A variable that the plugin declares, or a setting that it may read. */
  function configuredBy(place: Json | undefined): string | undefined {
    if (typeof place !== "string") return undefined;
    return granted !== undefined && place.includes(".") && !isOwnSetting(ctx.id, place) ? undefined : place;
  }

  async function fetchWhole(url: string, asked: JsonObject): Promise<Json> {
    const hosts = hostsFor(ctx.id, granted?.hosts, asked["hosts"], url);
    const {
      status,
      headers,
      url: from,
      redirected,
      bytes,
    } = await (call?.scope?.fetch ?? ctx.fetch)(url, {
      ...fetchOptions(asked, hosts, call?.signal),
      configured: configuredBy(asked["configured"]),
    }).then(async (reply) => ({
      ...reply,
      bytes: await reply.bytes(),
    }));
    return { status, headers, url: from, redirected, data: Buffer.from(bytes).toString("base64") };
  }
}

/** Only the user's own plugins may read other sessions. */
async function readSessions(params: JsonObject, ctx: PluginContext, granted: PluginGrants | undefined): Promise<Json> {
  const { id, seq } = params;
  const whose = typeof params["whose"] === "string" ? { whose: params["whose"] } : {};
  if (granted !== undefined)
    throw new ToolFailure("blocked", `The plugin "${ctx.id}" is not your own and may not read other sessions.`);
  switch (String(params["what"])) {
    case "find":
      return (await ctx.sessions.find(String(id))) as unknown as Json;
    case "list":
      return (await ctx.sessions.list({
        surface: typeof id === "string" ? id : undefined,
        limit: typeof seq === "number" ? seq : undefined,
        ...whose,
      })) as unknown as Json;
    case "search":
      return (await ctx.sessions.search(String(id), {
        limit: typeof seq === "number" ? seq : undefined,
        roles: Array.isArray(params["roles"]) ? params["roles"].map(String) : undefined,
        ...whose,
      })) as unknown as Json;
    case "latest":
      return ((await ctx.sessions.latest(typeof id === "string" ? id : undefined)) ?? null) as unknown as Json;
    case "messages":
      return (await import("../../host/compat/original-messages.ts")).originalMessages(
        String(id),
        ctx.sessions.facts(String(id)),
      ) as Promise<Json>;
    case "branch":
      return (await ctx.sessions.branch(String(id), typeof seq === "number" ? seq : undefined)) as unknown as Json;
    default:
      return (await Array.fromAsync(ctx.sessions.facts(String(id)))) as unknown as Json;
  }
}

/** Both its grants and its own list apply. A grant with a port allows only that port of the host. */
function hostsFor(
  plugin: string,
  granted: readonly string[] | undefined,
  asked: Json | undefined,
  url: string,
): readonly string[] | undefined {
  const own = Array.isArray(asked) ? asked.map(String) : undefined;
  if (granted === undefined) return own;
  const ported = granted.filter(
    (host) => URL.canParse(url) && host === `${new URL(url).hostname}:${new URL(url).port}`,
  );
  const names = [...granted.filter((host) => !/:\d+$/.test(host)), ...ported.map((host) => host.replace(/:\d+$/, ""))];
  if (names.length === 0)
    throw new ToolFailure("blocked", `The plugin "${plugin}" has no grant for ${url}.`, {
      hint: "List the hosts it needs in the manifest's grants.hosts.",
    });
  return own === undefined ? names : own.filter((host) => ruleFor(host.replace(/^\*\./, ""), names) !== undefined);
}

function fetchOptions(
  asked: JsonObject,
  hosts: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): FetchOptions {
  const { method, headers, text, data, timeout, max_bytes, max_redirects, setting } = asked;
  const body = typeof data === "string" ? Buffer.from(data, "base64") : typeof text === "string" ? text : undefined;
  return {
    method: typeof method === "string" ? (method.toUpperCase() as NonNullable<FetchOptions["method"]>) : undefined,
    headers:
      typeof headers === "object" && headers !== null ? (headers as { readonly [name: string]: string }) : undefined,
    body,
    ...definedFields({ timeoutMs: typeof timeout === "number" ? timeout * 1000 : undefined }),
    maxBytes: typeof max_bytes === "number" ? max_bytes : undefined,
    maxRedirects: typeof max_redirects === "number" ? max_redirects : undefined,
    hosts,
    setting: typeof setting === "string" ? setting : undefined,
    ...definedFields({ signal }),
  };
}

/** Messages in the wire's format, `{ role, content }`; system messages become the request's system text. */
function requestOf(params: JsonObject): LlmRequest {
  const given = (params["messages"] ?? []) as readonly { readonly role?: string; readonly content?: Json }[];
  const textOfContent = (content: Json | undefined): string =>
    typeof content === "string"
      ? content
      : Array.isArray(content)
        ? content.map((block) => String((block as JsonObject)["text"] ?? "")).join("")
        : "";
  const system = given.filter(({ role }) => role === "system").map(({ content }) => textOfContent(content));
  const number = (name: string): number | undefined => (typeof params[name] === "number" ? params[name] : undefined);
  const word = (name: string): string | undefined => (typeof params[name] === "string" ? params[name] : undefined);
  const seconds = number("timeout");
  return {
    system: system.join("\n\n"),
    messages: given
      .filter(({ role }) => role !== "system")
      .map(({ role, content }) => {
        const images = Array.isArray(content) ? content.flatMap(imageOf) : [];
        return {
          role: role === "assistant" ? "assistant" : "user",
          text: textOfContent(content),
          images: images.length === 0 ? undefined : images,
        };
      }),
    temperature: number("temperature"),
    maxOutputTokens: number("max_tokens"),
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    provider: word("provider"),
    model: word("model"),
    setting: word("setting"),
    purpose: word("purpose"),
  };
}

/** A block of a chat message that holds an image as a data URL. */
export function imageOf(block: Json): readonly ImagePart[] {
  const url = ((block as JsonObject | null)?.["image_url"] as JsonObject | undefined)?.["url"];
  const image = typeof url === "string" ? /^data:([\w/+.-]+);base64,(.*)$/s.exec(url) : null;
  return image === null ? [] : [{ type: "image", mediaType: image[1]!, data: image[2]! }];
}
