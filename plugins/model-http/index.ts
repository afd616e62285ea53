import type { ModelProvider, ModelSettings, Plugin, PluginContext } from "hermes-agent/plugin";
import { CHAT_SERVICES } from "./chat-completions/providers.ts";
import { MESSAGES_SERVICES } from "./messages/providers.ts";
import { wireByPackage, type OwnWire } from "./provider-packages/wire-by-package.ts";
import type { Connection, Service, WireModule } from "./wire/connection.ts";
import { later } from "./wire/later.ts";

/** Registers every known service by its wire. A wire's code loads with its first request. */
const register: Plugin = (ctx) => {
  provideAll(
    ctx,
    "anthropic_messages",
    MESSAGES_SERVICES,
    saved(() => import("./messages/client.ts")),
  );
  provideAll(
    ctx,
    "chat_completions",
    CHAT_SERVICES,
    saved(() => import("./chat-completions/client.ts")),
  );
};

export default register;

/** Caches the module, because each repeated `import()` costs a tenth of a millisecond. */
function saved<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => (loading ??= load());
}

function provideAll<Row extends Service>(
  ctx: PluginContext,
  wire: OwnWire,
  rows: readonly Row[],
  load: () => Promise<WireModule<Row>>,
): void {
  for (const row of rows) ctx.provide("model", providerOf(row, wire, load, ctx));
}

function providerOf<Row extends Service>(
  row: Row,
  wire: OwnWire,
  load: () => Promise<WireModule<Row>>,
  ctx: PluginContext,
): ModelProvider {
  const baseUrl = (): string | undefined =>
    (row.baseUrlEnv === undefined ? undefined : ctx.env(row.baseUrlEnv)) ?? row.baseUrl;
  const connectionOf = (settings: ModelSettings): Connection<Row> => ({
    row,
    settings,
    baseUrl: settings.baseUrl ?? baseUrl(),
    proxy: { variables: proxyOf(ctx), open: (options) => ctx.proxy(options) },
    refused: new Map(),
    warn: (text) => ctx.log.warning(text),
  });
  const otherWire = (settings: ModelSettings) =>
    wireByPackage(wire, { ...settings, baseUrl: settings.baseUrl ?? baseUrl() ?? "" });
  const clientFor = async (settings: ModelSettings): Promise<WireModule<Row>> => {
    const byPackage = otherWire(settings);
    if (byPackage === undefined) return load();
    const [{ clientByPackage }, { packageNamed }] = await Promise.all([
      import("./provider-packages/client.ts"),
      import("./provider-packages/shipped-packages.ts"),
    ]);
    return clientByPackage(byPackage, (name) => packageNamed(name, (other) => ctx.package(other)));
  };
  return {
    id: row.id,
    label: row.label,
    keyEnv: row.keyEnv,
    aliases: row.aliases,
    get baseUrl() {
      return baseUrl();
    },
    defaultModel: row.defaultModel,
    ...(row.keyless === true
      ? { keyOptional: true }
      : {
          available: (probe) =>
            row.keyEnv.some((name) => probe.env(name) !== undefined)
              ? { ok: true }
              : { ok: false, reason: `${row.label} needs a key in ${row.keyEnv.join(" or ")}.`, needs: row.keyEnv },
        }),
    connect(settings) {
      const connection = connectionOf(settings);
      return {
        waits: otherWire(settings) === undefined ? (true as const) : undefined,
        stream: (request, signal) => later(async () => (await clientFor(settings)).stream(connection, request, signal)),
      };
    },
    async prepare(settings) {
      if (otherWire(settings) !== undefined) await (await clientFor(settings)).prepare?.();
    },
    async contextWindow(settings, signal) {
      return (await import("./wire/context-window.ts")).contextWindow(connectionOf(settings), signal);
    },
    async listModels(settings, signal) {
      return await (await clientFor(settings)).listModels(connectionOf(settings), signal);
    },
  };
}

const PROXY_ENV = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]);

function proxyOf(ctx: PluginContext): Record<string, string> {
  return Object.fromEntries(
    PROXY_ENV.map((name) => [name, ctx.env(name)]).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
