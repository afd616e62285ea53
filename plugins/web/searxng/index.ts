import type { Plugin } from "hermes-agent/plugin";
import { askJson, baseOf, searchAnswer } from "../ask-json.ts";

/** SearXNG: search only. */
const register: Plugin = (ctx) => {
  ctx.register_web_search_provider({
    name: "searxng",
    display_name: "SearXNG",
    free: true,
    is_available: () => (ctx.env("SEARXNG_URL") ?? "") !== "",
    supports_search: () => true,
    supports_extract: () => false,
    search: async (query, { limit }) =>
      searchAnswer(
        await askJson(
          ctx.fetch,
          `${baseOf(ctx.env("SEARXNG_URL"), "")}/search?${new URLSearchParams({ q: query, format: "json" })}`,
          { headers: { accept: "application/json" } },
          { address: "SEARXNG_URL" },
        ),
        ({ results }) => results,
        limit,
      ),
  });
};

export default register;
