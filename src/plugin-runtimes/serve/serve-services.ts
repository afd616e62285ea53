import { ToolFailure } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { PluginContext, PluginGrants } from "../../contract/plugins/plugin.ts";
import type { CallOptions } from "../process/call-scope.ts";
import { OFFERS, refusalWords, type Member } from "../../host/plugins/registry/offers.ts";
import { textAt } from "../process/text-at.ts";

const SERVICES = ["chats", "jobs", "skills"] as const;
/** Methods whose last argument is a signal. */
const STOPPABLE: ReadonlySet<string> = new Set(["skills.fetch", "skills.publish"]);

/**
 * Requests of a plugin in another process for chats, jobs, skills, secrets and files of the home. `undefined`: the
 * request is for none of these.
 */
export function serveServices(
  method: string,
  params: JsonObject,
  ctx: PluginContext,
  granted: PluginGrants | undefined,
  call: CallOptions | undefined,
): Promise<Json> | undefined {
  switch (method) {
    case "ctx.desk":
      return askService(params, ctx, granted, call?.signal ?? ctx.signal);
    case "ctx.secrets.read":
      return ctx.secrets.read(textAt(params, "name")).then((value) => value ?? null);
    case "ctx.change_file":
      return changeFile(params, ctx, granted);
    default:
      return undefined;
  }
}

/** A plugin from elsewhere is refused services that others may use. */
export function refuseElsewhere(member: Member, ctx: PluginContext, granted: PluginGrants | undefined): void {
  const refusal = OFFERS[member].elsewhere;
  if (granted !== undefined && refusal !== undefined)
    throw new ToolFailure("blocked", refusalWords(ctx.id, member, refusal));
}

async function askService(
  { desk: name, method, args, seen_from }: JsonObject,
  ctx: PluginContext,
  granted: PluginGrants | undefined,
  signal: AbortSignal,
): Promise<Json> {
  const service = SERVICES.find((one) => one === name);
  const member = method === undefined ? service : `${String(name)}.${String(method)}`;
  if (service === undefined || member === undefined || !Object.hasOwn(OFFERS, member) || member === "jobs.seenFrom")
    throw new ToolFailure("not_found", `There is no ${String(name)}.${String(method)}.`, {
      hint: "See docs/plugin-protocol.md for the available ones.",
    });
  refuseElsewhere(service, ctx, granted);
  // Only checks whether the plugin may use it.
  if (method === undefined) return null;
  const opened = await openService(service, ctx, seen_from);
  const found: unknown = opened[String(method)];
  const given = (Array.isArray(args) ? args : []).map((arg) => arg ?? undefined);
  if (STOPPABLE.has(member)) given.push(signal as never);
  const answer: unknown =
    typeof found === "function" ? await (found as (...all: readonly unknown[]) => unknown).apply(opened, given) : found;
  // Values that are not data stay here.
  return answer === undefined ? null : (JSON.parse(JSON.stringify(answer)) as Json);
}

async function openService(
  service: (typeof SERVICES)[number],
  ctx: PluginContext,
  seenFrom: Json | undefined,
): Promise<{ readonly [name: string]: unknown }> {
  if (service === "skills") return ctx.skills as unknown as { readonly [name: string]: unknown };
  if (service === "chats") return (await ctx.chats()) as unknown as { readonly [name: string]: unknown };
  const jobs = await ctx.jobs();
  return (typeof seenFrom === "string" ? await jobs.seenFrom(seenFrom) : jobs) as unknown as {
    readonly [name: string]: unknown;
  };
}

/**
 * Returns the file's content or, with `to`, replaces it if it is still `from`, because no lock is held while another
 * process computes. `changed` reports another writer.
 */
async function changeFile(params: JsonObject, ctx: PluginContext, granted: PluginGrants | undefined): Promise<Json> {
  refuseElsewhere("changeFile", ctx, granted);
  const { from = null, to } = params;
  let text: string | null = null;
  await ctx.changeFile(textAt(params, "path"), (now) => {
    text = now ?? null;
    return typeof to === "string" && text === from ? to : undefined;
  });
  return { text, changed: to !== undefined && text !== from };
}
