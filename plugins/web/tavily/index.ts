import type { JsonObject, Plugin } from "hermes-agent/plugin";
import { allFailed, askJson, baseOf, objectsIn, pageOf, post, searchAnswer, textOf } from "../ask-json.ts";

/** Tavily: search and page extraction. */
const register: Plugin = (ctx) => {
  const ask = (what: string, body: JsonObject) =>
    askJson(
      ctx.fetch,
      `${baseOf(ctx.env("TAVILY_BASE_URL"), "https://api.tavily.com")}/${what}`,
      post(body, { authorization: `Bearer ${ctx.env("TAVILY_API_KEY")}` }),
      { key: "TAVILY_API_KEY", url: "https://app.tavily.com", address: "TAVILY_BASE_URL" },
    );
  ctx.register_web_search_provider({
    name: "tavily",
    display_name: "Tavily",
    is_available: () => (ctx.env("TAVILY_API_KEY") ?? "") !== "",
    supports_search: () => true,
    supports_extract: () => true,
    search: async (query, { limit }) =>
      searchAnswer(await ask("search", { query, max_results: Math.min(limit, 20) }), ({ results }) => results, limit),
    async extract(urls) {
      const asked = await ask("extract", { urls, include_images: false });
      if (!asked.ok) return allFailed(urls, asked.error);
      const { results, failed_results } = asked.answer;
      return [
        ...objectsIn(results).map(({ url, title, raw_content }) => pageOf(url, title, textOf(raw_content))),
        ...objectsIn(failed_results).map(({ url, error }) =>
          pageOf(url, "", "", textOf(error) || "Tavily cannot read the page."),
        ),
      ];
    },
  });
};

export default register;
