import type { Egress, Plugin, RiskContext } from "hermes-agent/plugin";
import type { BrowserService } from "./browser-service.ts";
import { devToolsTools } from "./dev-tools-tools.ts";
import { inspectionTools } from "./inspection-tools.ts";
import { interactionTools } from "./interaction-tools.ts";
import { navigationTools } from "./navigation-tools.ts";
import { BOOK } from "./session-book.ts";
import type { ToolPorts } from "./tool-ports.ts";

/** Tools that drive a browser. Its code, and the browser, are there from the first address on. */
const register: Plugin = (ctx) => {
  let service: BrowserService | undefined;
  const load = async (): Promise<BrowserService> =>
    (service ??= new (await import("./browser-service.ts")).BrowserService(ctx));
  const words: ToolPorts["words"] = (call) => service?.words(call.taskId) ?? { source: "a web page" };
  const sent = (what: string, call: RiskContext): Egress => ({
    kind: "send",
    what: `${words(call).source}: ${what.slice(0, 200)}`,
  });
  const ports: ToolPorts = {
    load,
    words,
    sends: (what, call) => [sent(what, call)],
    fills: async (ref, text, call) => [{ ...sent(text, call), site: await service?.siteOf(call.taskId, ref) }],
    async uses(call, ref) {
      const page = words(call).source;
      const site = (ref === undefined ? undefined : await service?.siteOf(call.taskId, ref)) ?? URL.parse(page)?.host;
      return site === undefined ? [] : [{ kind: "fetch", what: page, site }];
    },
  };

  for (const tool of [
    ...navigationTools(ports),
    ...interactionTools(ports, (text) => ctx.redact(text)),
    ...inspectionTools(ports, ctx),
  ])
    ctx.tool(tool);
  const offer = (connected: boolean) => devToolsTools(ports, connected).map((tool) => ctx.tool(tool));
  let own = offer(false);
  ctx.command({
    name: "browser",
    description: "drive your own browser: connect, disconnect, status",
    argsHint: "[connect [URL]|disconnect|status]",
    cliOnly: true,
    async run(args) {
      const { browserCommand } = await import("./browser-command.ts");
      return browserCommand(args, await load(), (connected) => {
        for (const tool of own) tool[Symbol.dispose]();
        own = offer(connected);
      });
    },
    complete: () => ["connect ", "disconnect", "status"],
  });
  // A session that an earlier run left open at a service costs money. A user who never had one has no such file, and
  // this loads nothing.
  for (const event of ["on_session_start", "on_session_end"] as const)
    ctx.hook(event, () => void load().then((one) => one.sweep()), { onlyWith: BOOK });
  ctx.onUnload(() => service?.[Symbol.asyncDispose]());
};

export default register;
