import type { JsonObject, Plugin } from "hermes-agent/plugin";
import { allFailed, askJson, baseOf, joined, objectsIn, pageOf, post, searchAnswer, textOf } from "../ask-json.ts";

const HELP = { key: "PARALLEL_API_KEY", url: "https://platform.parallel.ai", address: "PARALLEL_BASE_URL" };
/** Values of `PARALLEL_SEARCH_MODE`, the original's among them, as the service names them now. */
const MODES: { readonly [mode: string]: string } = {
  agentic: "advanced",
  "one-shot": "basic",
  advanced: "advanced",
  basic: "basic",
  fast: "fast",
  turbo: "turbo",
};
const MOST = 20;

/** Parallel: search for an objective, and page extraction. */
const register: Plugin = (ctx) => {
  const ask = (what: string, body: JsonObject) =>
    askJson(
      ctx.fetch,
      `${baseOf(ctx.env("PARALLEL_BASE_URL"), "https://api.parallel.ai")}/v1/${what}`,
      post(body, { "x-api-key": ctx.env("PARALLEL_API_KEY") ?? "" }),
      HELP,
    );
  ctx.register_web_search_provider({
    name: "parallel",
    display_name: "Parallel",
    is_available: () => (ctx.env("PARALLEL_API_KEY") ?? "") !== "",
    supports_search: () => true,
    supports_extract: () => true,
    search: async (query, { limit }) =>
      searchAnswer(
        await ask("search", {
          search_queries: [query],
          objective: query,
          mode: MODES[(ctx.env("PARALLEL_SEARCH_MODE") ?? "").trim().toLowerCase()] ?? "advanced",
          advanced_settings: { max_results: Math.min(limit, MOST) },
        }),
        ({ results }) => results,
        limit,
      ),
    async extract(urls) {
      const asked = await ask("extract", { urls, advanced_settings: { full_content: true } });
      if (!asked.ok) return allFailed(urls, asked.error);
      const { results, errors } = asked.answer;
      return [
        ...objectsIn(results).map(({ url, title, full_content, excerpts }) =>
          pageOf(url, title, textOf(full_content) || joined(excerpts, "\n\n")),
        ),
        ...objectsIn(errors).map(({ url, content, error_type }) =>
          pageOf(url, "", "", textOf(content) || textOf(error_type) || "Parallel cannot read the page."),
        ),
      ];
    },
  });
};

export default register;
