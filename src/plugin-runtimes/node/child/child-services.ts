import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { PluginContext } from "../../../contract/plugins/plugin.ts";
import { membersOf, type Offer } from "../../../host/plugins/registry/offers.ts";
import { callOf } from "./call-of.ts";
import type { PluginSide } from "./plugin-side.ts";
import { askNow } from "./sync-channel.ts";

type Service = "chats" | "jobs" | "skills";

/** `ctx.chats`, `ctx.jobs`, `ctx.skills` and the files of the home: each method is a request to the agent. */
export function childServices(
  plugin: PluginSide,
  context: () => PluginContext,
): Pick<PluginContext, "chats" | "jobs" | "skills" | "secrets" | "changeFile"> {
  const { key, wire } = plugin.options;
  const ask = (method: string, params: JsonObject, signal?: AbortSignal) =>
    wire.request(method, { ...params, ...callOf(key) }, signal);
  /** An unknown or forbidden service throws on access, not at its first method. */
  const allowed = (service: Service) => ask("ctx.desk", { desk: service });

  function serviceOf(service: Service, more: JsonObject = {}): { [name: string]: unknown } {
    const made: { [name: string]: unknown } = {};
    for (const [name, offer] of membersOf(service)) define(made, service, name, offer, more);
    return made;
  }

  function define(made: object, service: Service, name: string, { now }: Offer, more: JsonObject): void {
    const params = (given: readonly unknown[]): JsonObject => ({
      desk: service,
      method: name,
      args: given.filter((arg) => !(arg instanceof AbortSignal)).map((arg) => (arg ?? null) as Json),
      ...more,
    });
    const askAtOnce = (...given: readonly unknown[]): unknown =>
      askNow("ctx.desk", { ...params(given), ...callOf(key) }) ?? undefined;
    if (now === "value") return void Object.defineProperty(made, name, { get: askAtOnce, enumerable: true });
    const value =
      now === "method"
        ? askAtOnce
        : async (...given: readonly unknown[]) =>
            (await ask(
              "ctx.desk",
              params(given),
              given.find((arg) => arg instanceof AbortSignal),
            )) ?? undefined;
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true });
  }

  async function jobs(seenFrom?: string): ReturnType<PluginContext["jobs"]> {
    await allowed("jobs");
    const service = serviceOf("jobs", seenFrom === undefined ? {} : { seen_from: seenFrom });
    return Object.defineProperty(service, "seenFrom", { value: jobs, enumerable: true }) as never;
  }

  let skills: PluginContext["skills"] | undefined;
  return {
    async chats() {
      await allowed("chats");
      const service = serviceOf("chats") as unknown as Awaited<ReturnType<PluginContext["chats"]>>;
      return {
        ...service,
        platforms: () =>
          service
            .platforms()
            .map((platform) => ({ ...platform, load: () => context().use("platform", platform.name) })),
      };
    },
    jobs: () => jobs(),
    get skills() {
      return (skills ??= serviceOf("skills") as unknown as PluginContext["skills"]);
    },
    secrets: {
      read: async (name) => ((await ask("ctx.secrets.read", { name })) as string | null) ?? undefined,
      write: async () => plugin.refuse("secrets.write"),
    },
    async changeFile(path, change) {
      for (let seen = (await ask("ctx.change_file", { path })) as unknown as Seen; ;) {
        const to = change(seen.text ?? undefined);
        if (to === undefined || to === seen.text) return;
        seen = (await ask("ctx.change_file", { path, from: seen.text, to })) as unknown as Seen;
        if (!seen.changed) return;
      }
    },
  };
}

interface Seen {
  readonly text: string | null;
  readonly changed: boolean;
}
