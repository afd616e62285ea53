import type { ServerResponse } from "node:http";
import { sendJson, startWebService, type Sent } from "./web-service.ts";

export const SEARCH_KEY = "key-of-the-test-123";

/** A page that the doubles have found and can read. */
export interface Known {
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

export const PAGES: readonly Known[] = [
  { url: "https://tea.example/green?id=7&x=1", title: "Green tea", text: "All of green tea" },
  { url: "https://more.example/", title: "More & more", text: 'More "tea"' },
  { url: "https://tea.example/black", title: "Black tea", text: "Black as <night>" },
];

export type Vendor = "exa" | "firecrawl" | "parallel" | "xai" | "ddgs";

/**
 * A search service as its vendor documents it: refuses (400) a request that the documentation does not allow, and
 * answers 401 without the key. `broken`, if set, answers instead.
 */
export async function startSearchService(vendor: Vendor) {
  const state: { broken: ((reply: ServerResponse) => void) | undefined } = { broken: undefined };
  const wrong: string[] = [];
  const service = await startWebService((sent, reply) => {
    if (state.broken !== undefined) return state.broken(reply);
    try {
      DOUBLES[vendor](sent, reply);
    } catch (cause) {
      wrong.push(`${sent.method} ${sent.url}: ${(cause as Error).message}`);
      sendJson(reply, { error: (cause as Error).message }, 400);
    }
  });
  return {
    ...service,
    state,
    /** Requests that the vendor's documentation does not allow. */
    wrong,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
    },
  };
}

const DOUBLES: { readonly [V in Vendor]: (sent: Sent, reply: ServerResponse) => void } = {
  exa(sent, reply) {
    const body = bodyOf(sent, ["/search", "/contents"]);
    if (sent.headers["x-api-key"] !== SEARCH_KEY)
      return sendJson(reply, { requestId: "r", error: "Invalid API key", tag: "INVALID_API_KEY" }, 401);
    if (sent.url === "/search") {
      only(body, { query: "string", numResults: "number", contents: "object", type: "string" });
      need(typeof body["query"] === "string" && body["query"] !== "", "query is required");
      const most = Number(body["numResults"] ?? 10);
      need(Number.isInteger(most) && most >= 1 && most <= 100, "numResults is 1 to 100");
      const highlights = (body["contents"] as { highlights?: unknown } | undefined)?.highlights !== undefined;
      const results = PAGES.slice(0, most).map(({ url, title, text }) => ({
        id: url,
        url,
        title,
        publishedDate: null,
        author: null,
        ...(highlights ? { highlights: [text, "and so on"], highlightScores: [0.4, 0.2] } : {}),
      }));
      return sendJson(reply, { requestId: "r", resolvedSearchType: "neural", results, costDollars: { total: 0.005 } });
    }
    only(body, { urls: "object", text: "boolean" });
    need(Array.isArray(body["urls"]) && body["urls"].length > 0, "urls is required");
    const urls = body["urls"] as readonly string[];
    const known = PAGES.filter(({ url }) => urls.includes(url));
    sendJson(reply, {
      requestId: "r",
      results: known.map(({ url, title, text }) => ({ id: url, url, title, text })),
      statuses: urls.map((id) =>
        known.some(({ url }) => url === id)
          ? { id, status: "success" }
          : { id, status: "error", error: { tag: "CRAWL_NOT_FOUND", httpStatusCode: 404 } },
      ),
    });
  },
  firecrawl(sent, reply) {
    const body = bodyOf(sent, ["/v2/search", "/v2/scrape"]);
    if (sent.headers.authorization !== `Bearer ${SEARCH_KEY}`)
      return sendJson(reply, { success: false, error: "Unauthorized: Invalid token" }, 401);
    if (sent.url === "/v2/search") {
      only(body, { query: "string", limit: "number", origin: "string", sources: "object" });
      need(typeof body["query"] === "string" && body["query"].length <= 500, "query is at most 500 characters");
      const most = Number(body["limit"] ?? 10);
      need(Number.isInteger(most) && most >= 1 && most <= 100, "limit is 1 to 100");
      const web = PAGES.slice(0, most).map(({ url, title, text }, at) => ({
        url,
        title,
        description: text,
        position: at + 1,
      }));
      return sendJson(reply, { success: true, data: { web }, creditsUsed: 2 });
    }
    only(body, {
      url: "string",
      formats: "object",
      origin: "string",
      skipTlsVerification: "boolean",
      removeBase64Images: "boolean",
    });
    need(typeof body["url"] === "string" && URL.canParse(body["url"]), "url is required");
    need((body["formats"] as readonly unknown[]).length > 0, "formats is a list");
    const page = PAGES.find(({ url }) => url === body["url"]);
    sendJson(reply, {
      success: true,
      data:
        page === undefined
          ? { markdown: "", metadata: { sourceURL: body["url"], statusCode: 404, error: "Not Found" } }
          : { markdown: page.text, metadata: { title: page.title, sourceURL: page.url, statusCode: 200 } },
    });
  },
  parallel(sent, reply) {
    const body = bodyOf(sent, ["/v1/search", "/v1/extract"]);
    if (sent.headers["x-api-key"] !== SEARCH_KEY)
      return sendJson(reply, { type: "error", error: { ref_id: "r", message: "Unauthorized" } }, 401);
    const settings = (body["advanced_settings"] ?? {}) as { readonly [name: string]: unknown };
    if (sent.url === "/v1/search") {
      only(body, {
        search_queries: "object",
        objective: "string",
        mode: "string",
        advanced_settings: "object",
        max_chars_total: "number",
      });
      need((body["search_queries"] as readonly unknown[]).length > 0, "search_queries is required");
      need(["turbo", "fast", "basic", "advanced", undefined].includes(body["mode"] as string), "mode is unknown");
      only(settings, { max_results: "number" });
      const results = PAGES.slice(0, Number(settings["max_results"] ?? 10)).map(({ url, title, text }) => ({
        url,
        title,
        publish_date: null,
        excerpts: [text, "and so on"],
      }));
      return sendJson(reply, { search_id: "search_1", session_id: "s", results, warnings: null, usage: [] });
    }
    only(body, { urls: "object", advanced_settings: "object", objective: "string" });
    only(settings, { full_content: "boolean" });
    const urls = body["urls"] as readonly string[];
    const known = PAGES.filter(({ url }) => urls.includes(url));
    sendJson(reply, {
      extract_id: "extract_1",
      session_id: "s",
      results: known.map(({ url, title, text }) => ({
        url,
        title,
        excerpts: [text],
        full_content: settings["full_content"] === true ? text : null,
      })),
      errors: urls
        .filter((one) => !known.some(({ url }) => url === one))
        .map((url) => ({ url, error_type: "fetch_error", http_status_code: 404, content: "Not found" })),
    });
  },
  xai(sent, reply) {
    const body = bodyOf(sent, ["/responses"]);
    if (sent.headers.authorization !== `Bearer ${SEARCH_KEY}`)
      return sendJson(reply, { code: "unauthenticated", error: "Incorrect API key provided." }, 401);
    only(body, { model: "string", input: "object", tools: "object", include: "object" });
    const tools = body["tools"] as readonly {
      readonly type: string;
      readonly filters?: { readonly [name: string]: readonly string[] };
    }[];
    need(tools.length === 1 && tools[0]!.type === "web_search", "one web_search tool");
    const filters = tools[0]!.filters ?? {};
    only(filters, { allowed_domains: "object", excluded_domains: "object" });
    need(Object.keys(filters).length <= 1, "not both filters");
    need(
      Object.values(filters).every((list) => list.length >= 1 && list.length <= 5),
      "at most five domains",
    );
    const [question] = body["input"] as readonly { readonly role: string; readonly content: string }[];
    const most = Number(/at most (\d+) results/.exec(question!.content)![1]);
    const results = PAGES.slice(0, most).map(({ url, title, text }) => ({ title, url, description: text }));
    sendJson(reply, {
      id: "resp_1",
      object: "response",
      status: "completed",
      output: [
        { type: "web_search_call", status: "completed", action: { type: "search", query: "tea" } },
        {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: `Here you are:\n${JSON.stringify({ results })}`, annotations: [] }],
        },
      ],
      citations: results.map(({ url }) => url),
    });
  },
  ddgs(sent, reply) {
    need(sent.method === "POST" && sent.url === "/html/", "POST /html/");
    need(sent.headers["content-type"] === "application/x-www-form-urlencoded", "a form");
    const form = new URLSearchParams(sent.body);
    need((form.get("q") ?? "") !== "", "q is required");
    const start = Number(form.get("s") ?? 0);
    need([0, 10, 25, 40].includes(start), "s is the number of results so far");
    const all = [
      ...PAGES,
      ...Array.from({ length: 27 }, (_, at) => ({ url: `https://n${at}.example/`, title: `N${at}`, text: "n" })),
    ];
    const page = form.get("q") === "nothing" ? [] : all.slice(start, start + (start === 0 ? 10 : 15));
    reply.writeHead(200, { "content-type": "text/html; charset=UTF-8" }).end(duckDuckGoPage(page));
  },
};

/** A page of results in the form of html.duckduckgo.com, with an advertisement on top. */
export function duckDuckGoPage(found: readonly Known[]): string {
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const result = ({ url, title, text }: Known, kind: string, href: string) =>
    `<div class="result results_links results_links_deep ${kind}"><div class="links_main links_deep result__body">
      <h2 class="result__title"><a rel="nofollow" class="result__a" href="${escaped(href)}">${escaped(title)}</a></h2>
      <div class="result__extras"><a class="result__url" href="${escaped(href)}">${escaped(url)}</a></div>
      <a class="result__snippet" href="${escaped(href)}">${escaped(text).replace("tea", "<b>tea</b>")}</a>
    </div></div>`;
  const ad = { url: "https://ad.example/", title: "Buy tea", text: "An advertisement" };
  const results = found.map((one) =>
    result(one, "web-result", `//duckduckgo.com/l/?uddg=${encodeURIComponent(one.url)}&rut=0123abcd`),
  );
  const body =
    found.length === 0
      ? `<div class="result results_links result--no-result"><div class="no-results">No  results.</div></div>`
      : `${result(ad, "result--ad", "https://duckduckgo.com/y.js?ad_domain=ad.example&u3=x")}${results.join("\n")}`;
  return `<!DOCTYPE html><html><body><form id="search_form_homepage"></form><div class="serp__results">${body}</div></body></html>`;
}

/** What DuckDuckGo sends with status 202 to a client that it takes for a robot. */
export const PUZZLE = `<!DOCTYPE html><html><body><form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html&cc=botnet" method="POST"><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form></body></html>`;

function bodyOf({ method, url, headers, body }: Sent, paths: readonly string[]): { readonly [name: string]: unknown } {
  need(method === "POST" && paths.includes(url), `POST ${paths.join(" or ")}`);
  need(/^application\/json\b/.test(headers["content-type"] ?? ""), "content-type is application/json");
  return JSON.parse(body) as { readonly [name: string]: unknown };
}

function only(body: { readonly [name: string]: unknown }, types: { readonly [name: string]: string }): void {
  for (const [name, value] of Object.entries(body))
    need(types[name] !== undefined && typeof value === types[name], `"${name}" is not allowed there`);
}

function need(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}
