import type { JsonObject, Plugin } from "hermes-agent/plugin";
import { allFailed, askJson, baseOf, objectsIn, pageOf, post, searchAnswer, textOf } from "../ask-json.ts";

const KEY = { key: "EXA_API_KEY", url: "https://dashboard.exa.ai", address: "EXA_BASE_URL" };

/** Exa: search and page extraction. */
const register: Plugin = (ctx) => {
  const ask = (what: string, body: JsonObject) =>
    askJson(
      ctx.fetch,
      `${baseOf(ctx.env("EXA_BASE_URL"), "https://api.exa.ai")}/${what}`,
      post(body, { "x-api-key": ctx.env("EXA_API_KEY") ?? "", "x-exa-integration": "hermes-agent" }),
      KEY,
    );
  ctx.register_web_search_provider({
    name: "exa",
    display_name: "Exa",
    is_available: () => (ctx.env("EXA_API_KEY") ?? "") !== "",
    supports_search: () => true,
    supports_extract: () => true,
    search: async (query, { limit }) =>
      searchAnswer(
        await ask("search", { query, numResults: Math.min(limit, 100), contents: { highlights: true } }),
        ({ results }) => results,
        limit,
      ),
    async extract(urls) {
      const asked = await ask("contents", { urls, text: true });
      if (!asked.ok) return allFailed(urls, asked.error);
      const { results, statuses } = asked.answer;
      return [
        ...objectsIn(results).map(({ url, title, text }) => pageOf(url, title, textOf(text))),
        ...objectsIn(statuses)
          .filter(({ status }) => status === "error")
          .map(({ id, error }) => pageOf(id, "", "", `Exa cannot read the page${reasonIn(error)}.`)),
      ];
    },
  });
};

/** Of `{ tag, httpStatusCode }`: ` (CRAWL_NOT_FOUND, 404)`. */
function reasonIn(error: JsonObject[string] | undefined): string {
  const { tag, httpStatusCode } = objectsIn([error ?? null])[0] ?? {};
  const parts = [tag, httpStatusCode].filter((one) => typeof one === "string" || typeof one === "number");
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

export default register;
