import type { BrowserReturn } from "../../contract/providers/browser-return.ts";
import type { CliIo } from "../../contract/conversation/command.ts";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { PluginContext, PluginGrants } from "../../contract/plugins/plugin.ts";
import type { CallOptions } from "../process/call-scope.ts";
import { textAt } from "../process/text-at.ts";

/** Addresses of this machine that other machines cannot reach. */
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "::1"]);

/** The maximum number of concurrent sign-ins. */
const MAX_RETURNS = 8;

/**
 * Addresses of this machine that a browser returns to, for a plugin in another process. The agent listens and passes
 * the request to the plugin.
 */
export class ServedReturns implements Disposable {
  readonly #ctx: PluginContext;
  readonly #granted: PluginGrants | undefined;
  readonly #returns = new Map<string, BrowserReturn>();
  #next = 0;
  #over = false;

  constructor(ctx: PluginContext, granted: PluginGrants | undefined) {
    this.#ctx = ctx;
    this.#granted = granted;
  }

  /** `undefined`: the request is not about one. */
  serve(method: string, params: JsonObject, call: CallOptions | undefined): Promise<Json> | undefined {
    switch (method) {
      case "ctx.browser_return.open":
        return this.#open(params, call);
      case "ctx.browser_return.came":
        return this.#came(params, call);
      case "ctx.browser_return.close":
        return this.#close(textAt(params, "return"));
      default:
        return undefined;
    }
  }

  [Symbol.dispose](): void {
    this.#over = true;
    for (const one of this.#returns.values()) one[Symbol.dispose]();
    this.#returns.clear();
  }

  async #open(params: JsonObject, call: CallOptions | undefined): Promise<Json> {
    const host = textAt(params, "host");
    if (this.#granted !== undefined) this.#refuse(host, call?.scope?.io);
    if (this.#returns.size >= MAX_RETURNS)
      throw new ToolFailure(
        "unavailable",
        `The plugin "${this.#ctx.id}" already waits at ${MAX_RETURNS} addresses, the maximum.`,
        { hint: "Close those that are no longer needed." },
      );
    const port = Number(params["port"] ?? 0);
    const opened = await this.#ctx.browserReturn({ host, port, path: textAt(params, "path") });
    // The plugin process ended during the opening, so nothing else would close it.
    if (this.#over) {
      opened[Symbol.dispose]();
      return null;
    }
    const id = String((this.#next += 1));
    this.#returns.set(id, opened);
    return { return: id, port: opened.port };
  }

  async #came(params: JsonObject, call: CallOptions | undefined): Promise<Json> {
    const opened = this.#returns.get(textAt(params, "return"));
    if (opened === undefined)
      throw new ToolFailure("not_found", `The plugin "${this.#ctx.id}" waits at an address that is closed.`, {
        hint: "Open another one by ctx.browserReturn().",
      });
    const { code, iss } = await opened.came(
      textAt(params, "state"),
      this.#terminal(params, call),
      call?.signal ?? this.#ctx.signal,
    );
    return { code, iss: iss ?? null };
  }

  async #close(id: string): Promise<Json> {
    this.#returns.get(id)?.[Symbol.dispose]();
    this.#returns.delete(id);
    return null;
  }

  /** The terminal of the `hermes NAME` command under which it runs; the prompt is not part of the command's output. */
  #terminal({ interactive }: JsonObject, call: CallOptions | undefined): CliIo {
    const io = call?.scope?.io;
    const say = io?.error ?? (() => undefined);
    return {
      out: say,
      error: say,
      interactive: interactive === true && io?.interactive === true,
      signal: call?.signal ?? this.#ctx.signal,
    };
  }

  #refuse(host: string, io: CliIo | undefined): void {
    if (io === undefined)
      throw new ToolFailure(
        "blocked",
        `The plugin "${this.#ctx.id}" is not your own, so it may start a sign-in only in a command that you typed.`,
        { hint: "Sign in by a subcommand of the plugin: ctx.cli, in Python ctx.register_cli_command." },
      );
    if (!LOOPBACK.has(host))
      throw new ToolFailure(
        "blocked",
        `The plugin "${this.#ctx.id}" is not your own and may not accept connections of other machines at ${host}.`,
        { hint: "Use 127.0.0.1, to which a browser of this machine returns." },
      );
  }
}
