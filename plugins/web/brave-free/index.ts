import type { Json, JsonObject, Plugin } from "hermes-agent/plugin";
import { askJson, baseOf, searchAnswer } from "../ask-json.ts";

/** Brave: search only, at most twenty results. */
const register: Plugin = (ctx) => {
  ctx.register_web_search_provider({
    name: "brave-free",
    display_name: "Brave Search",
    is_available: () => (ctx.env("BRAVE_SEARCH_API_KEY") ?? "") !== "",
    supports_search: () => true,
    supports_extract: () => false,
    async search(query, { limit }) {
      const base = baseOf(ctx.env("BRAVE_SEARCH_BASE_URL"), "https://api.search.brave.com/res/v1");
      const asked = await askJson(
        ctx.fetch,
        `${base}/web/search?${new URLSearchParams({ q: query, count: String(Math.min(limit, 20)) })}`,
        { headers: { accept: "application/json", "x-subscription-token": ctx.env("BRAVE_SEARCH_API_KEY") ?? "" } },
        { key: "BRAVE_SEARCH_API_KEY", url: "https://brave.com/search/api/", address: "BRAVE_SEARCH_BASE_URL" },
      );
      return searchAnswer(asked, ({ web }) => resultsOf(web), limit);
    },
  });
};

function resultsOf(web: Json | undefined): Json | undefined {
  return typeof web === "object" && web !== null ? (web as JsonObject)["results"] : undefined;
}

export default register;
