import { CHROMIUMS } from "hermes-agent/browser";
import { defineTool, hostOf, type Plugin, type Egress, type RiskContext } from "hermes-agent/plugin";
import type { BrowserService } from "./browser-service.ts";
import { devToolsTools } from "./dev-tools-tools.ts";
import { types } from "./keys.ts";
import { BOOK } from "./session-book.ts";

/** Tools that drive a browser. Its code, and the browser, are there from the first address on. */
const register: Plugin = (ctx) => {
  let service: BrowserService | undefined;
  const load = async (): Promise<BrowserService> =>
    (service ??= new (await import("./browser-service.ts")).BrowserService(ctx));
  const words = (call: RiskContext) => service?.words(call.taskId) ?? { source: "a web page" };
  /** The page's owner can read it at once. */
  const sends = (what: string, call: RiskContext): readonly Egress[] => [
    { kind: "send", what: `${words(call).source}: ${what.slice(0, 200)}` },
  ];
  const common = {
    toolset: "browser",
    emoji: "🌐",
    needsOneOf: [...CHROMIUMS, "setting:browser.cdp_url", "slot:browser"],
    refusal: { success: false },
    timeoutMs: 90_000,
  } as const;
  const ref = { type: "string", description: "Snapshot ref: @e1" } as const;

  ctx.tool(
    defineTool({
      ...common,
      name: "browser_navigate",
      description:
        "Open a page in a browser and return a snapshot of its interactive elements. Cheaper for reading alone: %tools%.",
      mentions: ["web_search", "web_extract"],
      input: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
      effect: "network",
      timeoutMs: 180_000,
      assess: ({ url }) => ({
        untrusted: { source: url.slice(0, 500), host: hostOf(url) },
        egress: [{ kind: "fetch", what: url }],
      }),
      async execute({ url }, call) {
        const { navigate } = await import("./navigate.ts");
        return navigate(await load(), url, call);
      },
    }),
  );
  ctx.tool(
    defineTool({
      ...common,
      name: "browser_snapshot",
      description: "Take a snapshot of the page.",
      input: { type: "object", properties: { full: { type: "boolean", description: "Include all text" } } },
      effect: "read",
      assess: (_, call) => ({ untrusted: words(call) }),
      async execute({ full }, call) {
        const { snapshot } = await import("./navigate.ts");
        return snapshot(await load(), full === true, call);
      },
    }),
  );
  ctx.tool(
    defineTool({
      ...common,
      name: "browser_click",
      description: "Click an element.",
      input: { type: "object", properties: { ref }, required: ["ref"] },
      effect: "network",
      assess: (_, call) => ({ untrusted: words(call), egress: [] }),
      // It sends what the page holds already.
      async execute({ ref: given }, call) {
        const [{ click }, held] = await Promise.all([import("./act.ts"), load()]);
        return held.use(call, {}, async (page, { refs }) => {
          await click(page, refs(page).node(given, page.documents), given, held.stepMs);
          return { success: true, clicked: named(given) };
        });
      },
    }),
  );
  ctx.tool(
    defineTool({
      ...common,
      name: "browser_type",
      description: "Replace a field's text.",
      input: { type: "object", properties: { ref, text: { type: "string" } }, required: ["ref", "text"] },
      effect: "network",
      assess: ({ text }, call) => ({ untrusted: words(call), egress: sends(text, call) }),
      async execute({ ref: given, text }, call) {
        const [{ type }, held] = await Promise.all([import("./act.ts"), load()]);
        return held.use(call, {}, async (page, { refs }) => {
          await type(page, refs(page).node(given, page.documents), given, text, held.stepMs);
          return { success: true, typed: ctx.redact(text), element: named(given) };
        });
      },
    }),
  );
  ctx.tool(
    defineTool({
      ...common,
      name: "browser_scroll",
      description: "Scrolls 500 px.",
      input: {
        type: "object",
        properties: { direction: { type: "string", enum: ["up", "down"] } },
        required: ["direction"],
      },
      effect: "network",
      assess: (_, call) => ({ untrusted: words(call), egress: [] }),
      async execute({ direction }, call) {
        const [{ scroll }, held] = await Promise.all([import("./act.ts"), load()]);
        return held.use(call, {}, async (page) => {
          await scroll(page, direction);
          return { success: true, scrolled: direction };
        });
      },
    }),
  );
  ctx.tool(
    defineTool({
      ...common,
      name: "browser_back",
      description: "Go back one page.",
      input: { type: "object", properties: {} },
      effect: "network",
      assess: (_, call) => ({ untrusted: words(call), egress: [] }),
      async execute(_, call) {
        const [{ back }, held] = await Promise.all([import("./act.ts"), load()]);
        return held.use(call, {}, async (page) => ({ success: true, url: await back(page, held.stepMs) }));
      },
    }),
  );
  ctx.tool(
    defineTool({
      ...common,
      name: "browser_press",
      description: "Press a key.",
      input: {
        type: "object",
        properties: { key: { type: "string", description: "Enter, Tab, Control+A" } },
        required: ["key"],
      },
      effect: "network",
      assess: ({ key }, call) => ({ untrusted: words(call), egress: types(key) ? sends(key, call) : [] }),
      async execute({ key }, call) {
        const [{ press }, held] = await Promise.all([import("./act.ts"), load()]);
        return held.use(call, {}, async (page) => {
          await press(page, key, held.stepMs);
          return { success: true, pressed: key };
        });
      },
    }),
  );
  ctx.tool(
    defineTool({
      ...common,
      name: "browser_get_images",
      description: "List the page's images.",
      input: { type: "object", properties: {} },
      effect: "read",
      assess: (_, call) => ({ untrusted: words(call) }),
      async execute(_, call) {
        const { images } = await import("./look.ts");
        return images(await load(), call);
      },
    }),
  );
  ctx.tool(
    defineTool({
      ...common,
      name: "browser_vision",
      description: "Answer a question about how the page looks.",
      input: {
        type: "object",
        properties: {
          question: { type: "string" },
          annotate: { type: "boolean", description: "Label elements with their refs" },
        },
        required: ["question"],
      },
      effect: "read",
      timeoutMs: 240_000,
      assess: (_, call) => ({ untrusted: words(call) }),
      async execute({ question, annotate }, call) {
        const { look } = await import("./vision.ts");
        return look(await load(), ctx, question, annotate === true, call);
      },
    }),
  );
  ctx.tool(
    defineTool({
      ...common,
      name: "browser_console",
      description: "Read the page's console messages and errors, or evaluate an expression in it.",
      input: { type: "object", properties: { clear: { type: "boolean" }, expression: { type: "string" } } },
      assess: ({ expression }, call) => ({
        effect: expression === undefined ? "read" : "network",
        untrusted: words(call),
        egress: expression === undefined ? [] : sends(expression, call),
      }),
      async execute({ clear, expression }, call) {
        const { evaluate, printed } = await import("./look.ts");
        return expression === undefined
          ? printed(await load(), clear === true, call)
          : evaluate(await load(), expression, call);
      },
    }),
  );
  const offer = (connected: boolean) => devToolsTools({ load, words, sends }, connected).map((tool) => ctx.tool(tool));
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

function named(ref: string): string {
  return ref.startsWith("@") ? ref : `@${ref}`;
}

export default register;
