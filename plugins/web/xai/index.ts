import { objectOf, type Json, type JsonObject, type Plugin } from "hermes-agent/plugin";
import { askJson, baseOf, objectsIn, post, searchAnswer } from "../ask-json.ts";

const HELP = { key: "XAI_API_KEY", url: "https://console.x.ai", address: "XAI_BASE_URL" };
const MODEL = "grok-build-0.1";
const SECONDS = 90;
/** xAI accepts so many domains. */
const MOST_DOMAINS = 5;

/** xAI: Grok searches with its own tool and lists what it found. Search only. */
const register: Plugin = (ctx) => {
  ctx.register_web_search_provider({
    name: "xai",
    display_name: "xAI (Grok)",
    is_available: () => (ctx.env("XAI_API_KEY") ?? "") !== "",
    supports_search: () => true,
    supports_extract: () => false,
    // Grok writes the list, and a query could make it write an address.
    composes_addresses: () => true,
    async search(query, { limit }) {
      const allowed = domainsIn(ctx.setting("web.xai.allowed_domains"));
      const excluded = domainsIn(ctx.setting("web.xai.excluded_domains"));
      if (allowed.length > 0 && excluded.length > 0)
        return { success: false, error: "set web.xai.allowed_domains or web.xai.excluded_domains, not both." };
      const filters: JsonObject =
        allowed.length > 0
          ? { filters: { allowed_domains: allowed } }
          : excluded.length > 0
            ? { filters: { excluded_domains: excluded } }
            : {};
      const [model, timeout] = [ctx.setting("web.xai.model"), ctx.setting("web.xai.timeout")];
      const asked = await askJson(
        ctx.fetch,
        `${baseOf(ctx.env("XAI_BASE_URL"), "https://api.x.ai/v1")}/responses`,
        post(
          {
            model: typeof model === "string" && model !== "" ? model : MODEL,
            input: [{ role: "user", content: promptFor(query, limit) }],
            tools: [{ type: "web_search", ...filters }],
            include: ["no_inline_citations"],
          },
          { authorization: `Bearer ${ctx.env("XAI_API_KEY") ?? ""}` },
          (typeof timeout === "number" && timeout > 0 ? timeout : SECONDS) * 1000,
        ),
        HELP,
      );
      if (!asked.ok) return { success: false, error: asked.error };
      // An overloaded model or a refusal comes with status 200.
      const { message, code } = objectOf(asked.answer["error"]);
      const wrong = [message, code].find((one) => typeof one === "string" && one !== "");
      if (wrong !== undefined) return { success: false, error: `it reported: ${String(wrong).slice(0, 300)}` };
      return searchAnswer(asked, resultsIn, limit);
    },
  });
};

function domainsIn(list: Json | undefined): readonly string[] {
  return (Array.isArray(list) ? (list as readonly Json[]) : [])
    .flatMap((one) => (typeof one === "string" && one.trim() !== "" ? [one.trim()] : []))
    .slice(0, MOST_DOMAINS);
}

function promptFor(query: string, limit: number): string {
  return [
    `Search the web for the query below with your web_search tool. Answer with one JSON object only: no other text, no Markdown, no inline citations.`,
    `Its form: {"results": [{"title": "…", "url": "https://…", "description": "one or two sentences"}]}`,
    `List at most ${limit} results, the most relevant first, with complete URLs of pages that you found. Without results answer {"results": []}.`,
    `Query: ${query}`,
  ].join("\n");
}

/** What Grok listed; else the pages that it cites. */
function resultsIn({ output, citations }: JsonObject): readonly JsonObject[] {
  const texts = objectsIn(output)
    .filter(({ type }) => type === "message")
    .flatMap(({ content }) => objectsIn(content))
    .filter(({ type }) => type === "output_text");
  for (const { text } of texts) {
    const listed = listIn(typeof text === "string" ? text : "");
    if (listed !== undefined && listed.length > 0) return listed;
  }
  const cited = [
    ...texts.flatMap(({ annotations }) => objectsIn(annotations)).map(({ url }) => url),
    ...(Array.isArray(citations) ? (citations as readonly Json[]) : []),
  ];
  return [...new Set(cited)].flatMap((url) => (typeof url === "string" && url !== "" ? [{ url }] : []));
}

/** The first JSON object with `results` in a text that may say more. */
function listIn(text: string): readonly JsonObject[] | undefined {
  for (const candidate of [text, text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)]) {
    try {
      const { results } = objectOf(JSON.parse(candidate) as Json);
      if (Array.isArray(results))
        return objectsIn(results).filter(({ url }) => typeof url === "string" && url.trim() !== "");
    } catch {
      continue; // It is prose.
    }
  }
  return undefined;
}

export default register;
