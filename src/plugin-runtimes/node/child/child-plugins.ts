import type { Json, JsonObject } from "../../../contract/common/json.ts";
import { importRegister } from "../../../host/plugins/registry/import-register.ts";
import { BREACH } from "../../../host/plugins/registry/contract-breach.ts";
import { withCli } from "../../../host/plugins/registry/memory-cli.ts";
import { cliModule, entryModule } from "../../../host/plugins/discovery/plugin-files.ts";
import { withLookups } from "../../../host/plugins/discovery/watch-lookups.ts";
import { CANCELLED, PeerError } from "../../process/peer.ts";
import { ChildPlugin } from "./child-plugin.ts";
import type { Wire } from "./plugin-side.ts";
import { currentCall } from "./current-call.ts";
import { importHandler } from "./import-handler.ts";

interface Running {
  readonly plugin: string;
  readonly id: string;
  readonly stop: AbortController;
}

/** The plugins of this process. */
export class ChildPlugins {
  readonly #wire: Wire;
  readonly #plugins = new Map<string, ChildPlugin>();
  readonly #running = new Map<string, Running>();

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  async answer(method: string, params: JsonObject, id: string): Promise<Json | undefined> {
    const handle = typeof params["handle"] === "string" ? params["handle"] : undefined;
    const key =
      handle === undefined ? String(params["plugin"]) : handle.slice(0, handle.lastIndexOf("/", handle.indexOf(":")));
    const running: Running = { plugin: key, id, stop: new AbortController() };
    this.#running.set(id, running);
    try {
      return await currentCall.run({ plugin: key, id }, async () => {
        if (method === "plugin.load") return { ...(await withLookups(() => this.#load(key, params))).reported };
        if (method === "plugin.unload") return this.#unload(key);
        const plugin = this.#plugins.get(key);
        if (plugin === undefined) throw new PeerError(`The plugin "${key}" is not loaded in this process.`, -32602);
        return plugin.call(method, params, id, running.stop.signal);
      });
    } catch (cause) {
      throw running.stop.signal.aborted ? new PeerError("The call was cancelled.", CANCELLED) : cause;
    } finally {
      this.#running.delete(id);
    }
  }

  cancel(id: string): void {
    this.#running.get(id)?.stop.abort(new Error("The call was cancelled."));
  }

  /** The agent no longer holds them. */
  release(key: string, refs: JsonObject): void {
    this.#plugins.get(key)?.objects.release(refs);
  }

  /** Nothing awaits this error: log it and continue. */
  strayError(cause: unknown): void {
    const plugin = currentCall.getStore()?.plugin ?? this.#plugins.keys().next().value ?? "";
    this.#wire.notify("log", {
      plugin,
      level: "error",
      message: `Unhandled error: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`,
      detail: { ...BREACH },
    });
  }

  async unloadAll(): Promise<void> {
    await Promise.all([...this.#plugins.keys()].map((key) => this.#unload(key)));
  }

  async #load(key: string, params: JsonObject): Promise<void> {
    await this.#unload(key);
    const dir = String(params["dir"]);
    const entry = typeof params["entry"] === "string" ? { file: params["entry"] } : entryModule(dir);
    if ("reason" in entry) throw new Error(entry.reason);
    const manifest = params["manifest"] as JsonObject;
    const cli = manifest["kind"] === "exclusive" ? cliModule(dir) : undefined;
    const register =
      params["handler"] === true
        ? await importHandler(entry.file, (params["env"] ?? {}) as JsonObject)
        : await importRegister(entry.file, false);
    const plugin = new ChildPlugin({
      key,
      dir,
      version: String(params["version"] ?? ""),
      home: String(params["home"] ?? ""),
      name: String(manifest["name"]),
      config: (params["config"] ?? {}) as JsonObject,
      wire: this.#wire,
    });
    this.#plugins.set(key, plugin);
    try {
      await (cli === undefined ? register(plugin.context) : withCli(register, cli, plugin.context));
    } catch (cause) {
      this.#plugins.delete(key);
      throw cause;
    }
  }

  async #unload(key: string): Promise<null> {
    const plugin = this.#plugins.get(key);
    this.#plugins.delete(key);
    await plugin?.unload();
    return null;
  }
}
