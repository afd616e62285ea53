import { ToolFailure, type FetchReply, type JsonObject, type Plugin } from "hermes-agent/plugin";
import { baseOf, OTHER_SERVICE, retryAfter } from "../ask-json.ts";
import { readResults, type Found } from "./read-results.ts";

const PAGE_MS = 15_000;
/** The whole search, with its further pages. */
const SEARCH_MS = 30_000;
/** DuckDuckGo answers further pages ever more slowly. */
const MOST_PAGES = 4;
const FIRST_PAGE = 10;
const NEXT_PAGE = 15;

/** DuckDuckGo without a key, by its page for browsers without scripts. Search only. */
const register: Plugin = (ctx) => {
  async function page(query: string, number: number): Promise<string> {
    const form = new URLSearchParams({ q: query, b: "", l: ctx.env("DDGS_REGION")?.trim() || "wt-wt" });
    if (number > 0) form.set("s", String(FIRST_PAGE + (number - 1) * NEXT_PAGE));
    const reply = await ctx.fetch(`${baseOf(ctx.env("DDGS_BASE_URL"), "https://html.duckduckgo.com")}/html/`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        accept: "text/html",
        "accept-language": "en-US,en;q=0.8",
        "user-agent": "Mozilla/5.0 (compatible; hermes-agent)",
      },
      body: form.toString(),
      timeoutMs: PAGE_MS,
      maxBytes: 3_000_000,
      maxRedirects: 0,
      configured: "DDGS_BASE_URL",
    });
    const html = await reply.text();
    if (reply.status === 200) return html;
    throw new ToolFailure("failed", refusalOf(reply));
  }

  async function search(query: string, limit: number): Promise<JsonObject> {
    const until = performance.now() + SEARCH_MS;
    const found = new Map<string, Found>();
    for (let number = 0; number < MOST_PAGES && found.size < limit && performance.now() < until; number++) {
      try {
        const read = readResults(await page(query, number));
        if (read.kind === "blocked") throw new ToolFailure("failed", BOT_PAGE);
        if (read.kind === "unknown") throw new ToolFailure("failed", OTHER_FORM);
        const before = found.size;
        for (const one of read.results) if (!found.has(one.url)) found.set(one.url, one);
        if (found.size === before) break;
      } catch (cause) {
        if (!(cause instanceof ToolFailure)) throw cause;
        // What the first pages gave is worth more than the failure of a further one.
        if (found.size > 0) break;
        return { success: false, error: cause.message };
      }
    }
    const web = [...found.values()].slice(0, limit).map((one, at) => ({ ...one, position: at + 1 }));
    return { success: true, data: { web } };
  }

  ctx.register_web_search_provider({
    name: "ddgs",
    display_name: "DuckDuckGo",
    is_available: () => true,
    supports_search: () => true,
    supports_extract: () => false,
    get_setup_schema: () => ({ name: "DuckDuckGo", badge: "free, no key, search only", env_vars: [] }),
    search: (query, { limit }) => search(query, limit),
  });
};

const NEXT_STEP = `wait some minutes, or ${OTHER_SERVICE}`;
const BOT_PAGE = `DuckDuckGo takes the request for one of a robot and wants a puzzle solved: ${NEXT_STEP}.`;
const OTHER_FORM = `DuckDuckGo's page has an unexpected form; it may have changed: ${OTHER_SERVICE}.`;

function refusalOf(reply: FetchReply): string {
  const { status } = reply;
  // 202 comes with the puzzle, 403 and 418 without one.
  if (status === 202 || status === 403 || status === 418) return BOT_PAGE;
  const wait = retryAfter(reply);
  if (status === 429)
    return `DuckDuckGo answered 429; too many requests: ${wait === undefined ? NEXT_STEP : `try again in ${wait} s, or ${OTHER_SERVICE}`}.`;
  return `DuckDuckGo answered ${status}: ${status >= 500 ? "try again later, or " : ""}${OTHER_SERVICE}.`;
}

export default register;
