import type { CliCommand, SlashCommand } from "../../../contract/conversation/command.ts";
import type { Check } from "../../../contract/common/check.ts";
import { ToolFailure } from "../../../contract/common/failure.ts";
import type { HookHandler, HookName } from "../../../contract/plugins/hook.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { PluginContext } from "../../../contract/plugins/plugin.ts";
import { RecentMap } from "../../../contract/common/recent-map.ts";
import type { AnyTool } from "../../../contract/tools/tool.ts";
import { NEEDS_AGENT } from "../../serve/needs-agent.ts";
import { OFFERS, refusalWords, type Member } from "../../../host/plugins/registry/offers.ts";
import { RemoteObjects } from "../../process/remote-objects.ts";
import { callOf } from "./call-of.ts";
import { childContext } from "./child-context.ts";
import { assessTool, callTool, checkTool, judgeTool } from "./child-tool.ts";
import type { ChildPluginOptions, PluginSide, Registration } from "./plugin-side.ts";

/** One plugin of this process: its context, and its registrations by handle. */
export class ChildPlugin implements PluginSide {
  readonly options: ChildPluginOptions;
  readonly objects: RemoteObjects;
  readonly surveys: PluginSide["surveys"] = new RecentMap(64);
  readonly context: PluginContext;
  readonly #found = new Map<string, Registration>();
  readonly #counts = new Map<string, number>();
  readonly #cleanups: (() => void | Promise<void>)[] = [];
  readonly #stop = new AbortController();

  constructor(options: ChildPluginOptions) {
    this.options = options;
    this.objects = new RemoteObjects({
      ask: (params) => options.wire.request("object.call", { ...params, ...callOf(options.key) }),
      release: (refs) => options.wire.notify("object.release", { plugin: options.key, refs }),
    });
    this.context = childContext(this, this.#stop.signal);
  }

  /** Notifies the agent. The handle is the same every time the plugin is loaded. */
  register(registration: Registration, name: string, data: object): Disposable {
    const place = `${registration.kind}:${name}`;
    const count = this.#counts.get(place) ?? 0;
    this.#counts.set(place, count + 1);
    const handle = `${this.options.key}/${place}#${count}`;
    this.#found.set(handle, registration);
    this.options.wire.notify("register", {
      ...(JSON.parse(JSON.stringify(data)) as JsonObject),
      plugin: this.options.key,
      kind: registration.kind,
      handle,
    });
    return { [Symbol.dispose]: () => void this.#found.delete(handle) };
  }

  /** Members that no separate process offers. */
  refuse(member: Member): never {
    const refusal = OFFERS[member].node!;
    throw new ToolFailure(
      refusal.inAgent === true ? NEEDS_AGENT : "blocked",
      refusalWords(this.options.key, member, refusal),
    );
  }

  onUnload(cleanup: () => void | Promise<void>): void {
    this.#cleanups.push(cleanup);
  }

  async unload(): Promise<void> {
    this.#stop.abort(new Error(`The plugin "${this.options.key}" is unloaded.`));
    for (const cleanup of this.#cleanups.splice(0).toReversed()) {
      try {
        await cleanup();
      } catch (cause) {
        this.context.log.warning("Error while unloading the plugin", { cause });
      }
    }
  }

  async call(method: string, params: JsonObject, id: string, signal: AbortSignal): Promise<Json | undefined> {
    if (method === "object.call") return this.objects.serve(params, signal);
    const real = this.#found.get(String(params["handle"]))?.real;
    if (real === undefined) throw new Error(`${String(params["handle"])} is not registered in this process.`);
    switch (method) {
      case "tool.call":
        return callTool(this, real as AnyTool, params, id, signal);
      case "tool.check":
        return (await checkTool(this, real as AnyTool, params, id)) as unknown as Json;
      case "tool.assess":
        return assessTool(this, real as AnyTool, params, id);
      case "tool.effect":
      case "tool.risk":
      case "tool.provenance":
      case "tool.reach":
      case "tool.touches":
      case "tool.survey":
        return ((await judgeTool(this, real as AnyTool, method.slice("tool.".length) as "risk", params, id, signal)) ??
          null) as Json;
      case "tool.prepare":
        await (real as AnyTool).prepare?.();
        return null;
      case "hook.call":
        return ((await (real as HookHandler<HookName>)(params["payload"] as never)) ?? null) as Json;
      case "middleware.call":
        return this.#middleware(
          real as (input: unknown, next: (changed?: object) => Promise<Json>) => Promise<Json>,
          params,
          id,
        );
      case "command.run":
        return this.#command(real as SlashCommand, params, signal);
      case "command.complete":
        return [...((await (real as SlashCommand).complete?.(String(params["args"]))) ?? [])];
      case "cli.run":
        return this.#cli(real as CliCommand, params, id, signal);
      case "doctor.look":
        return (await (real as () => Promise<readonly Check[]>)()) as unknown as Json;
      case "provider.call":
        return this.#provider(real as object, String(params["method"]), params["values"] ?? [], signal);
      default:
        throw new Error(`This runtime does not support the method ${method}.`);
    }
  }

  async #provider(real: object, method: string, values: Json, signal: AbortSignal): Promise<Json> {
    const found: unknown = (real as { readonly [name: string]: unknown })[method];
    if (typeof found !== "function") throw new Error(`There is no method ${method}.`);
    return this.objects.encode(
      await (found as (...given: readonly unknown[]) => unknown).apply(
        real,
        this.objects.decode(values, signal) as unknown[],
      ),
    );
  }

  async #middleware(
    real: (input: unknown, next: (changed?: object) => Promise<Json>) => Promise<Json>,
    params: JsonObject,
    id: string,
  ): Promise<Json> {
    const answer: Json | undefined = await real(params["input"], (changed) =>
      this.options.wire.request("middleware.next", {
        call: id,
        plugin: this.options.key,
        changed: (changed ?? null) as Json,
      }),
    );
    // Over the wire it would become null, which is an answer.
    if (answer === undefined) throw new Error("It returned nothing. Return the value of next().");
    return answer;
  }

  async #command(command: SlashCommand, params: JsonObject, signal: AbortSignal): Promise<Json> {
    const { session_id, platform } = params["context"] as JsonObject;
    return (
      (await command.run(String(params["args"] ?? ""), {
        sessionId: String(session_id),
        surface: String(platform),
        signal,
      })) ?? null
    );
  }

  async #cli(command: CliCommand, params: JsonObject, id: string, signal: AbortSignal): Promise<Json> {
    const print = (error: boolean) => (text: string) =>
      this.options.wire.notify("cli.output", { call: id, plugin: this.options.key, text, error });
    const status = await command.run(params["input"] as never, {
      out: print(false),
      error: print(true),
      interactive: params["interactive"] === true,
      signal,
    });
    return status ?? null;
  }
}
