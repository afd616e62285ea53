import { defineTool, hostOf, type Plugin, type RiskContext } from "hermes-agent/plugin";

/** Additional timeout for the model that summarizes pages. */
function summaryMs({ config }: Pick<RiskContext, "config">): number {
  const seconds = config("auxiliary.web_extract.timeout");
  return typeof seconds === "number" ? seconds * 1000 : 0;
}

/** web_search over a service of the slot `web`; web_extract over one or our own fetch; web_crawl over our own fetch. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "web_search",
      title: "Search the web for {query}",
      toolset: "web",
      emoji: "🔍",
      description: "Searches the web.",
      slots: ["web"],
      input: {
        type: "object",
        properties: { query: { type: "string" }, limit: { type: "integer" } },
        required: ["query"],
      },
      effect: "network",
      timeoutMs: 60_000,
      assess: ({ query }) => ({
        untrusted: { source: `a web search for "${query.slice(0, 80)}"` },
        egress: [{ kind: "send", what: `a search service: "${query.slice(0, 200)}"`, service: "the search service" }],
      }),
      async execute({ query, limit }, call) {
        const { searchWeb } = await import("./search-web.ts");
        return searchWeb(query, limit, call);
      },
    }),
  );
  ctx.tool(
    defineTool({
      name: "web_extract",
      title: "Read {urls}",
      toolset: "web",
      emoji: "📄",
      description: "Reads up to five web pages as text.",
      input: {
        type: "object",
        properties: {
          urls: { type: "array", items: { type: "string" } },
          char_limit: { type: "integer" },
        },
        required: ["urls"],
      },
      effect: "network",
      timeoutMs: (call) => 180_000 + summaryMs(call),
      assess({ urls }) {
        const hosts = new Set(urls.map((url) => hostOf(url)));
        const [host] = hosts;
        return {
          untrusted: { source: urls.slice(0, 5).join(", "), host: hosts.size === 1 ? host : undefined },
          egress: urls.map((url) => ({ kind: "fetch", what: url })),
        };
      },
      async execute({ urls, char_limit }, call) {
        const { extractPages } = await import("./extract-pages.ts");
        return extractPages(urls, char_limit, call, ctx);
      },
    }),
  );
  ctx.tool(
    defineTool({
      name: "web_crawl",
      title: "Crawl {url}",
      toolset: "web",
      emoji: "🕸️",
      description: "Reads a web page and linked pages of its site: at most ten pages, or twenty if depth is advanced.",
      input: {
        type: "object",
        properties: {
          url: { type: "string" },
          instructions: { type: "string", description: "What to look for" },
          depth: { type: "string", enum: ["basic", "advanced"] },
        },
        required: ["url"],
      },
      effect: "network",
      assess: ({ url, instructions, depth }) => ({
        untrusted: { source: `${url} and pages of its site`, host: hostOf(url) },
        // The instructions choose among the links of each page.
        egress: [{ kind: "fetch", what: url, pages: instructions === undefined ? 1 : depth === "advanced" ? 20 : 10 }],
      }),
      async execute(input, call) {
        const { crawlSite } = await import("./crawl-site.ts");
        return crawlSite(input, call);
      },
    }),
  );
};

export default register;
