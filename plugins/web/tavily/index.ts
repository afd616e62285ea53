import type { Json, JsonObject, Plugin } from "hermes-agent/plugin";
import { askJson, searchAnswer } from "../ask-json.ts";

/** Tavily: search and page extraction. */
const register: Plugin = (ctx) => {
  const ask = (what: string, body: JsonObject) =>
    askJson(ctx.fetch, `${(ctx.env("TAVILY_BASE_URL") || "https://api.tavily.com").replace(/\/+$/, "")}/${what}`, {
      method: "POST",
      headers: { authorization: `Bearer ${ctx.env("TAVILY_API_KEY")}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      timeoutMs: 60_000,
    });
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
      if (!asked.ok) return urls.map((url) => ({ url, title: "", content: "", error: asked.error }));
      const [read, failed] = [asked.answer["results"], asked.answer["failed_results"]].map((list) =>
        Array.isArray(list)
          ? (list as readonly Json[]).map((one) => (typeof one === "object" && one !== null ? (one as JsonObject) : {}))
          : [],
      );
      return [
        ...read!.map(({ url, title, raw_content }) => ({
          url: url ?? "",
          title: title ?? "",
          content: raw_content ?? "",
        })),
        ...failed!.map(({ url, error }) => ({
          url: url ?? "",
          title: "",
          content: "",
          error: typeof error === "string" ? error : "Tavily cannot read the page.",
        })),
      ];
    },
  });
};

export default register;
