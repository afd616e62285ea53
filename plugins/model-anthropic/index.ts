import type { ModelProvider, Plugin, PluginContext } from "hermes-agent/plugin";
import { later } from "./later.ts";
import { PROVIDERS, type ProviderRow } from "./providers.ts";

/** Every service that speaks Anthropic Messages. The wire itself is loaded with the first request. */
const register: Plugin = (ctx) => {
  for (const row of PROVIDERS) ctx.provide("model", providerOf(row, ctx));
};

export default register;

function providerOf(row: ProviderRow, ctx: PluginContext): ModelProvider {
  const baseUrl = (): string => ctx.env(row.baseUrlEnv) ?? row.baseUrl;
  const connection = (settings: Parameters<ModelProvider["connect"]>[0]) => ({ row, settings, baseUrl: settings.baseUrl ?? baseUrl(), proxy: proxyOf(ctx) });
  return {
    id: row.id,
    label: row.label,
    keyEnv: row.keyEnv,
    ...(row.aliases === undefined ? {} : { aliases: row.aliases }),
    get baseUrl() {
      return baseUrl();
    },
    defaultModel: row.defaultModel,
    available: (probe) =>
      row.keyEnv.some((name) => probe.env(name) !== undefined) ? { ok: true } : { ok: false, reason: `${row.label} needs a key in ${row.keyEnv.join(" or ")}.`, needs: row.keyEnv },
    connect(settings) {
      const made = connection(settings);
      return {
        stream: (request, signal) => later(async () => (await import("./client.ts")).streamMessages(made, request, signal)),
      };
    },
    async listModels(settings, signal) {
      const { listMessagesModels } = await import("./client.ts");
      return await listMessagesModels(connection(settings), signal);
    },
  };
}

function proxyOf(ctx: PluginContext): Record<string, string> {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];
  return Object.fromEntries(names.flatMap((name) => [[name, ctx.env(name)] as const]).filter((entry): entry is readonly [string, string] => entry[1] !== undefined && entry[1] !== ""));
}
