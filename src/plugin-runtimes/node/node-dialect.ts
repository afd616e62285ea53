import { ToolFailure } from "../../contract/common/failure.ts";
import { isOwnSetting } from "../../host/plugins/registry/plugin-settings.ts";
import { HOOK_KINDS, type HookName, type HookOptions, type MiddlewareKind } from "../../contract/plugins/hook.ts";
import type { Assessment } from "../../contract/tools/assessment.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Part } from "../../contract/conversation/part.ts";
import type { PluginContext } from "../../contract/plugins/plugin.ts";
import type { SlotName } from "../../contract/plugins/slot-name.ts";
import type { SubagentTask } from "../../contract/conversation/subagent.ts";
import type { AnyTool, RiskContext, SecretArgument, ToolContext, ToolDeclaration } from "../../contract/tools/tool.ts";
import type { Probe } from "../../contract/common/availability.ts";
import type { Question } from "../../contract/conversation/question.ts";
import { asCompatTool } from "../../engine/tools/compat-tool.ts";
import { registerCommon } from "../serve/common-registrations.ts";
import { untrustedSource } from "../process/untrusted-source.ts";
import { textAt } from "../process/text-at.ts";
import type { CallScope } from "../process/call-scope.ts";
import { PeerError } from "../process/peer.ts";
import { RemoteObjects } from "../process/remote-objects.ts";
import type { Dialect, RemotePlugin } from "../process/remote-plugin.ts";
import { nodeProvider } from "../process/remote-provider.ts";
import { keepNotify, notifyLater } from "./late-notices.ts";
import { thrownThere } from "../process/thrown-there.ts";

const HOOK_MS = 25_000;
/** Requests before a call: a check, a risk, an effect. */
const JUDGE_MS = 15_000;

/**
 * Registrations of a plugin in a Node process: the contract's own format, over the wire.
 * @param untrusted The plugin gets no provider objects and only its own settings.
 */
export function nodeDialect(untrusted: boolean): Dialect {
  return {
    register(message, ctx, remote) {
      switch (message["kind"]) {
        case "tool":
          ctx.tool(toolOf(message, remote, new Ways(ctx, remote, untrusted)));
          return;
        case "hook":
          return registerHook(message, ctx, remote);
        case "middleware":
          return registerMiddleware(message, ctx, remote);
        case "provider":
          ctx.provide(textAt(message, "slot") as SlotName, nodeProvider(message, remote, objectsOf(remote)) as never);
          return;
        default:
          registerCommon(message, ctx, remote);
      }
    },
    serve: (method, params, ctx, remote, signal) => new Ways(ctx, remote, untrusted).serve(method, params, signal),
    take(method, params, remote) {
      if (method === "object.release") tables.get(remote)?.release((params["refs"] ?? {}) as JsonObject);
    },
    begin: (remote) => tables.get(remote)?.releaseAll(),
  };
}

/** Requests of a plugin's code through its contexts. */
class Ways {
  readonly #ctx: PluginContext;
  readonly #untrusted: boolean;
  readonly #remote: RemotePlugin;
  readonly objects: RemoteObjects;

  constructor(ctx: PluginContext, remote: RemotePlugin, untrusted: boolean) {
    this.#ctx = ctx;
    this.#untrusted = untrusted;
    this.#remote = remote;
    this.objects = objectsOf(remote);
  }

  /** Outside any call of a tool. */
  serve(method: string, params: JsonObject, signal: AbortSignal | undefined): Promise<Json> | undefined {
    switch (method) {
      case "object.call":
        return this.objects.serve(
          params,
          signal === undefined ? this.#ctx.signal : AbortSignal.any([signal, this.#ctx.signal]),
        );
      case "ctx.use":
        return this.use(params, (slot, id) => this.#ctx.use(slot, id));
      case "call.notify":
        return notifyLater(this.#remote, textAt(params, "call_id"), textAt(params, "text"));
      default:
        return undefined;
    }
  }

  async use(params: JsonObject, use: PluginContext["use"]): Promise<Json> {
    if (this.#untrusted)
      throw new ToolFailure(
        "blocked",
        `The plugin "${this.#ctx.id}" is not your own and may not use ${textAt(params, "slot")} directly.`,
        { hint: "Call a tool instead." },
      );
    return this.objects.encode(
      await use(params["slot"] as SlotName, typeof params["id"] === "string" ? params["id"] : undefined),
    );
  }

  async spawn(call: ToolContext, params: JsonObject): Promise<Json> {
    if (this.#untrusted)
      throw new ToolFailure("blocked", `The plugin "${this.#ctx.id}" is not your own and may not start subagents.`, {
        hint: "Call delegate_task; Hermes asks the user whether the plugin may.",
      });
    return (await call.spawn(params["task"] as unknown as SubagentTask)) as unknown as Json;
  }

  /** A setting; a plugin from elsewhere reads only its section. */
  config(path: string, read: (path: string) => Json | undefined): Json {
    if (this.#untrusted && !isOwnSetting(this.#ctx.id, path)) return null;
    return read(path) ?? null;
  }

  probeScope(probe: Probe): CallScope {
    return {
      serve: (method, params) => {
        if (method === "call.config")
          return Promise.resolve(this.config(textAt(params, "path"), (path) => probe.config(path)));
        if (method === "probe.which") return probe.which(textAt(params, "program")).then((found) => found ?? null);
        return method === "ctx.env" ? Promise.resolve(probe.env(textAt(params, "name")) ?? null) : undefined;
      },
    };
  }

  riskScope(risk: RiskContext): CallScope {
    return {
      serve: (method, params) =>
        method === "call.config"
          ? Promise.resolve(this.config(textAt(params, "path"), (path) => risk.config(path)))
          : undefined,
    };
  }

  callScope(call: ToolContext): CallScope {
    keepNotify(this.#remote, call);
    const state = (params: JsonObject) =>
      call.state<Json>({ key: textAt(params, "key"), initial: params["initial"] ?? null });
    const serve = (method: string, params: JsonObject): Promise<Json> | undefined => {
      switch (method) {
        case "call.config":
          return Promise.resolve(this.config(textAt(params, "path"), (path) => call.config(path)));
        case "ctx.env":
          return Promise.resolve(call.env(textAt(params, "name")) ?? null);
        case "call.ask":
          return call.ask(params["question"] as unknown as Question) as unknown as Promise<Json>;
        case "call.state.get":
          return Promise.resolve(state(params).get());
        case "call.state.set":
          return state(params)
            .set(params["value"] ?? null)
            .then(() => null);
        case "call.scratch":
          return call.scratch();
        case "call.offered":
          return call.offered().then((names) => [...names]);
        case "call.held":
          return call.held() as Promise<unknown> as Promise<Json>;
        case "call.spawn":
          return this.spawn(call, params);
        case "call.notify":
          return call.notify(textAt(params, "text")).then(() => null);
        case "call.transform":
          return call.transform(params["hook"] as never, params["payload"] as never);
        case "ctx.use":
          return this.use(params, (slot, id) => call.use(slot, id));
        case "object.call":
          return this.objects.serve(params, call.signal);
        default:
          return undefined;
      }
    };
    return {
      serve,
      fetch: call.fetch,
      take: (method, params) => {
        if (method === "progress") call.progress(textAt(params, "text"));
      },
    };
  }
}

/** One table of objects for each plugin, shared by all its calls. */
const tables = new WeakMap<RemotePlugin, RemoteObjects>();

function objectsOf(remote: RemotePlugin): RemoteObjects {
  let table = tables.get(remote);
  if (table === undefined) {
    table = new RemoteObjects({
      ask: (params) => remote.call("object.call", { plugin: remote.key, ...params }),
      release: (refs) => remote.notify("object.release", { plugin: remote.key, refs }),
    });
    tables.set(remote, table);
  }
  return table;
}

function toolOf(message: JsonObject, remote: RemotePlugin, ways: Ways): AnyTool {
  const handle = textAt(message, "handle");
  const declaration = message["declaration"] as unknown as ToolDeclaration;
  const has = new Set(message["has"] as readonly string[]);
  const shown = new Shown();
  const ask = (method: string, input: unknown, call: RiskContext, signal?: AbortSignal, more: JsonObject = {}) =>
    asked(() =>
      remote.call(
        method,
        { handle, input: input as Json, context: riskOf(call), ...more },
        { timeoutMs: JUDGE_MS, scope: ways.riskScope(call), signal },
      ),
    );
  const { effectByCall, dynamicDescription: _, conditional, prepares, effect, role: _role, ...data } = declaration;
  const tool: AnyTool = {
    ...data,
    effect: has.has("assess")
      ? effectByCall
        ? undefined
        : effect
      : effectByCall
        ? async (input: unknown, call: RiskContext) => (await ask("tool.effect", input, call)) as never
        : effect,
    available: conditional
      ? async (probe: Probe) =>
          (await remote.call(
            "tool.check",
            { handle, person: probe.prompter, surface: probe.surface },
            { timeoutMs: JUDGE_MS, scope: ways.probeScope(probe) },
          )) as never
      : undefined,
    secrets: Array.isArray(message["secrets"])
      ? (message["secrets"] as unknown as readonly SecretArgument[])
      : undefined,
    assess: has.has("assess")
      ? async (input: unknown, call: RiskContext): Promise<Assessment> => {
          const answer = await ask("tool.assess", input, call);
          if (!isObject(answer)) throw new Error("its tool must return an assessment object");
          const { survey, ...assessment } = answer as JsonObject;
          if (typeof survey !== "string") return assessment as unknown as Assessment;
          return {
            ...(assessment as unknown as Assessment),
            survey: async (signal) => (await ask("tool.survey", input, call, signal, { survey })) as never,
          };
        }
      : undefined,
    risk: has.has("risk")
      ? async (input: unknown, call: RiskContext) => ((await ask("tool.risk", input, call)) ?? undefined) as never
      : undefined,
    provenance: has.has("provenance")
      ? async (input: unknown, call: RiskContext) => untrustedSource(await ask("tool.provenance", input, call))
      : undefined,
    reach: has.has("reach")
      ? async (input: unknown, call: RiskContext) => (await ask("tool.reach", input, call)) as never
      : undefined,
    touches: has.has("touches")
      ? async (input: unknown, call: RiskContext) => (await ask("tool.touches", input, call)) as never
      : undefined,
    survey: has.has("survey")
      ? async (input: unknown, call: RiskContext, signal: AbortSignal) =>
          (await ask("tool.survey", input, call, signal)) as never
      : undefined,
    prepare: prepares === true ? async () => void (await remote.call("tool.prepare", { handle })) : undefined,
    async execute(input: Json, call: ToolContext) {
      const params = {
        handle,
        input,
        context: { ...riskOf(call), callId: call.callId, by: call.by, depth: call.depth },
      };
      const answer = (await asked(() =>
        remote.call("tool.call", params, { signal: call.signal, scope: ways.callScope(call) }),
      )) as JsonObject;
      const output = answer["output"] ?? null;
      shown.keep(output, answer["shown"] as unknown as string | readonly Part[] | undefined);
      return output;
    },
    toModel: has.has("toModel") ? (output: unknown) => shown.of(output) ?? JSON.stringify(output) : undefined,
  };
  return has.has("seeds") ? asCompatTool(tool) : tool;
}

function riskOf({ cwd, home, sessionId, taskId, agentHome }: RiskContext): JsonObject {
  return { cwd, home, sessionId, taskId, agentHome };
}

/** The result of `toModel` in the other process, until it is read here. */
class Shown {
  readonly #objects = new WeakMap<object, string | readonly Part[]>();
  #last: { readonly output: unknown; readonly shown: string | readonly Part[] } | undefined;

  keep(output: Json, shown: string | readonly Part[] | undefined): void {
    if (shown === undefined) return;
    if (typeof output === "object" && output !== null) this.#objects.set(output, shown);
    else this.#last = { output, shown };
  }

  of(output: unknown): string | readonly Part[] | undefined {
    if (typeof output === "object" && output !== null) return this.#objects.get(output);
    return this.#last?.output === output ? this.#last?.shown : undefined;
  }
}

/** A failure in the other process becomes the same failure here. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (!(cause instanceof PeerError)) throw cause;
    throw thrownThere(cause);
  }
}

function registerHook(message: JsonObject, ctx: PluginContext, remote: RemotePlugin): void {
  const handle = textAt(message, "handle");
  const name = textAt(message, "name") as HookName;
  const options = (message["options"] ?? undefined) as HookOptions | undefined;
  ctx.hook(
    name,
    (async (payload: JsonObject) => {
      const answer = await asked(() =>
        remote.call("hook.call", { handle, payload }, { timeoutMs: Math.min(HOOK_MS, options?.timeoutMs ?? HOOK_MS) }),
      );
      return HOOK_KINDS[name] === "observe" ? undefined : answer;
    }) as never,
    options,
  );
}

function registerMiddleware(message: JsonObject, ctx: PluginContext, remote: RemotePlugin): void {
  const handle = textAt(message, "handle");
  ctx.middleware(textAt(message, "name") as MiddlewareKind, async (input, next): Promise<never> => {
    const scope: CallScope = {
      serve: (method, params) =>
        method === "middleware.next" ? (next((params["changed"] ?? undefined) as never) as Promise<Json>) : undefined,
    };
    return (await asked(() =>
      remote.call("middleware.call", { handle, input: input as unknown as JsonObject }, { scope }),
    )) as never;
  });
}
