import type { PluginContext } from "hermes-agent/plugin";
import type { Way } from "./server.ts";
import type { ServerEntry } from "./server-entry.ts";
import { serverEnvironment } from "./server-environment.ts";
import type { ServerLog } from "./server-log.ts";

/**
 * The transports to try: stdio for a process; for a URL, Streamable HTTP and then, if the server refuses that,
 * HTTP+SSE.
 */
export async function* serverWays(entry: ServerEntry, ctx: PluginContext, log: ServerLog): AsyncGenerator<Way> {
  const { place, name } = entry;
  if (place.kind === "stdio") {
    const { StdioTransport } = await import("./stdio-transport.ts");
    log.started(name);
    const transport = new StdioTransport(place, {
      env: serverEnvironment(process.env, place.env, ctx.home),
      home: process.env["HOME"] ?? ctx.home,
      printed: (text) => log.write(text),
    });
    yield { transport, end: () => transport.end, kill: () => transport.kill() };
    return;
  }
  const { guardedFetch, httpTransport } = await import("./http-transport.ts");
  const fetch = guardedFetch(ctx.fetch, `${name}.url`);
  const auth =
    place.oauth === undefined
      ? undefined
      : (await import("../sign-in/saved-sign-in.ts")).savedSignIn(name, place.oauth, ctx);
  for (const way of place.sse ? (["sse"] as const) : (["http", "sse"] as const))
    yield { transport: await httpTransport(place, way, fetch, auth) };
}
