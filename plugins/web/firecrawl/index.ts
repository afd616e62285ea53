import { definedFields, objectOf, type JsonObject, type Plugin } from "hermes-agent/plugin";
import { askJson, baseOf, objectsIn, pageOf, post, searchAnswer, textOf } from "../ask-json.ts";

const HELP = { key: "FIRECRAWL_API_KEY", url: "https://www.firecrawl.dev/app/api-keys", address: "FIRECRAWL_API_URL" };
const PAGE_MS = 60_000;

/** Firecrawl: search and page extraction. A server of the user's own may need no key. */
const register: Plugin = (ctx) => {
  const has = (name: string): boolean => (ctx.env(name) ?? "").trim() !== "";
  const ask = (what: string, body: JsonObject) =>
    askJson(
      ctx.fetch,
      `${baseOf(ctx.env("FIRECRAWL_API_URL"), "https://api.firecrawl.dev")}/v2/${what}`,
      post(
        body,
        definedFields({
          authorization: has("FIRECRAWL_API_KEY") ? `Bearer ${ctx.env("FIRECRAWL_API_KEY")!.trim()}` : undefined,
        }),
        PAGE_MS,
      ),
      HELP,
    );

  async function read(url: string): Promise<JsonObject> {
    const asked = await ask("scrape", { url, formats: ["markdown"] });
    if (!asked.ok) return pageOf(url, "", "", asked.error);
    const data = objectOf(asked.answer["data"]);
    const { title, error } = objectOf(data["metadata"]);
    const content = textOf(data["markdown"]);
    if (content !== "") return pageOf(url, title, content);
    const why = textOf(error) || textOf(asked.answer["error"]);
    return pageOf(url, title, "", why === "" ? "Firecrawl returned no content for this page." : why);
  }

  ctx.register_web_search_provider({
    name: "firecrawl",
    display_name: "Firecrawl",
    is_available: () => has("FIRECRAWL_API_KEY") || has("FIRECRAWL_API_URL"),
    supports_search: () => true,
    supports_extract: () => true,
    get_setup_schema: () => ({
      name: "Firecrawl",
      badge: "paid",
      env_vars: [
        {
          key: "FIRECRAWL_API_KEY",
          prompt: "Firecrawl API key (for your own server, set FIRECRAWL_API_URL instead)",
          url: HELP.url,
        },
      ],
    }),
    search: async (query, { limit }) =>
      searchAnswer(await ask("search", { query, limit: Math.min(limit, 100) }), resultsIn, limit),
    extract: (urls) => Promise.all(urls.map(read)),
  });
};

/** `{ data: { web } }` now; older servers answer `{ data: [] }`. */
function resultsIn({ data }: JsonObject): readonly JsonObject[] {
  return Array.isArray(data) ? objectsIn(data) : objectsIn(objectOf(data)["web"]);
}

export default register;
