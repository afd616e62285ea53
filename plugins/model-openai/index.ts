import type { ModelClient, ModelProvider, Plugin, PluginContext } from "hermes-agent/plugin";
import { later } from "./later.ts";
import { PROVIDERS, type ProviderRow } from "./providers.ts";

/** Every service that speaks OpenAI chat completions. The wire itself is loaded with the first request. */
const register: Plugin = (ctx) => {
  for (const row of PROVIDERS) ctx.provide("model", providerOf(row, ctx));
};

export default register;

function providerOf(row: ProviderRow, ctx: PluginContext): ModelProvider {
  const baseUrl = (): string | undefined => (row.baseUrlEnv === undefined ? undefined : ctx.env(row.baseUrlEnv)) ?? row.baseUrl;
  const connection = (settings: Parameters<ModelProvider["connect"]>[0]) => ({ row, settings, baseUrl: settings.baseUrl ?? baseUrl(), proxy: proxyOf(ctx), refused: new Set<string>() });
  return {
    id: row.id,
    label: row.label,
    keyEnv: row.keyEnv,
    ...(row.aliases === undefined ? {} : { aliases: row.aliases }),
    get baseUrl() {
      return baseUrl();
    },
    ...(row.defaultModel === undefined ? {} : { defaultModel: row.defaultModel }),
    ...(row.keyless === true
      ? { keyOptional: true }
      : {
          available: (probe) =>
            row.keyEnv.some((name) => probe.env(name) !== undefined) ? { ok: true } : { ok: false, reason: `${row.label} needs a key in ${row.keyEnv.join(" or ")}.`, needs: row.keyEnv },
        }),
    connect(settings): ModelClient {
      const made = connection(settings);
      return {
        stream: (request, signal) => later(async () => (await import("./client.ts")).streamChat(made, request, signal)),
      };
    },
    async listModels(settings, signal) {
      const { listChatModels } = await import("./client.ts");
      return await listChatModels(connection(settings), signal);
    },
  };
}

function proxyOf(ctx: PluginContext): Record<string, string> {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];
  return Object.fromEntries(names.flatMap((name) => [[name, ctx.env(name)] as const]).filter((entry): entry is readonly [string, string] => entry[1] !== undefined && entry[1] !== ""));
}
