import type { App } from "../../contract/services/app.ts";
import type { Fact } from "../../contract/conversation/fact.ts";
import type { ShownCall } from "./shown-call.ts";
import { textBefore } from "./text-before.ts";

/** The running calls of a session as the editor shows them; approval dialogs use them too. */
export class ShownCalls {
  readonly #app: Pick<App, "config" | "tools" | "mask">;
  readonly #cwd: string;
  readonly #open = new Map<string, ShownCall>();

  constructor(app: Pick<App, "config" | "tools" | "mask">, cwd: string) {
    this.#app = app;
    this.#cwd = cwd;
  }

  get(callId: string): ShownCall | undefined {
    return this.#open.get(callId);
  }

  /** @param past This is a replay: the file has changed since. */
  begin({ callId, tool, args, effect }: Extract<Fact, { readonly type: "tool.called" }>, past: boolean): ShownCall {
    const declared = this.#app.tools.get(tool)?.effect ?? effect;
    const here = (this.#app.config.get("terminal.backend") ?? "local") === "local";
    const before = declared === "write" && here && !past ? textBefore(args, this.#cwd) : undefined;
    const call: ShownCall = {
      callId,
      tool,
      args,
      effect: declared,
      before: before === undefined ? undefined : before === null ? null : this.#app.mask(before),
    };
    this.#open.set(callId, call);
    return call;
  }

  /** @returns the call that ended. */
  end(callId: string): ShownCall | undefined {
    const call = this.#open.get(callId);
    this.#open.delete(callId);
    return call;
  }
}
