import type { BrowserAnswer, OpenBrowserReturn } from "../../../contract/providers/browser-return.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import { callOf } from "./call-of.ts";
import type { Wire } from "./plugin-side.ts";

/** `ctx.browserReturn`: the agent listens, and prompts in the terminal of the command under which this runs. */
export function childBrowserReturn(plugin: string, wire: Wire): OpenBrowserReturn {
  return async (place) => {
    const opened = (await wire.request("ctx.browser_return.open", { ...place, ...callOf(plugin) })) as {
      readonly return: string;
      readonly port: number;
    };
    return {
      port: opened.port,
      async came(state, io, stop) {
        const answer = (await wire.request(
          "ctx.browser_return.came",
          { return: opened.return, state, interactive: io.interactive, ...callOf(plugin) },
          stop,
        )) as JsonObject;
        return {
          code: String(answer["code"]),
          iss: typeof answer["iss"] === "string" ? answer["iss"] : undefined,
        } satisfies BrowserAnswer;
      },
      [Symbol.dispose]: () =>
        void wire.request("ctx.browser_return.close", { return: opened.return, plugin }).catch(() => undefined),
    };
  };
}
