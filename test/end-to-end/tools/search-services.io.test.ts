import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import { PAGES, PUZZLE, SEARCH_KEY, startSearchService, type Vendor } from "../../servers/search-services.ts";
import { sendJson } from "../../servers/web-service.ts";
import { NewUser } from "../support/test-user.ts";

/** A home with these variables, in which a user calls tools. Private addresses are not allowed in it. */
async function openHome(user: NewUser, variables: { readonly [name: string]: string }, settings = "") {
  user.write("~/.hermes/config.yaml", settings);
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  user.write("~/.hermes/.env", lines.join(""));
  const app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  const session = await app.openSession({ surface: "cli", cwd: user.folder });
  return {
    app,
    async call(tool: string, args: JsonObject): Promise<JsonObject> {
      const outcome = await session.call(tool, args);
      if (outcome.kind === "ok") return outcome.value as JsonObject;
      return outcome.kind === "failed"
        ? { ...outcome.data, error: outcome.message, hint: outcome.hint ?? "" }
        : { kind: outcome.kind };
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
  };
}

const VENDORS: {
  readonly [V in Vendor]: {
    readonly env: (url: string) => { readonly [name: string]: string };
    readonly key?: string;
    readonly more: string;
  };
} = {
  exa: { env: (url) => ({ EXA_API_KEY: SEARCH_KEY, EXA_BASE_URL: url }), key: "EXA_API_KEY", more: " and so on" },
  firecrawl: {
    env: (url) => ({ FIRECRAWL_API_KEY: SEARCH_KEY, FIRECRAWL_API_URL: `${url}/` }),
    key: "FIRECRAWL_API_KEY",
    more: "",
  },
  parallel: {
    env: (url) => ({ PARALLEL_API_KEY: SEARCH_KEY, PARALLEL_BASE_URL: url, PARALLEL_SEARCH_MODE: "one-shot" }),
    key: "PARALLEL_API_KEY",
    more: " and so on",
  },
  xai: { env: (url) => ({ XAI_API_KEY: SEARCH_KEY, XAI_BASE_URL: url }), key: "XAI_API_KEY", more: "" },
  ddgs: { env: (url) => ({ DDGS_BASE_URL: url }), more: "" },
};

type Break = readonly [breaks: (reply: ServerResponse) => void, words: RegExp];

/** What every service may do, and what the user then reads. `KEY` is the service's variable. */
const BREAKS: readonly Break[] = [
  [
    (reply) => sendJson(reply, { error: "Invalid key." }, 401),
    /answered 401 \(Invalid key\); the key may be wrong: check KEY/,
  ],
  [
    (reply) => sendJson(reply, { message: "No credits left" }, 402),
    /answered 402 \(No credits left\); the plan or its credits.*hermes setup web/,
  ],
  [
    (reply) => void reply.writeHead(429, { "retry-after": "90" }).end("slow down"),
    /answered 429; too many requests: try again in 90 s, or .*hermes setup web/,
  ],
  [
    (reply) => sendJson(reply, { error: { message: "Oops" } }, 503),
    /answered 503 \(Oops\); the service has a problem: try again later/,
  ],
  [
    (reply) => void reply.writeHead(302, { location: "https://elsewhere.example/" }).end(),
    /answered 302; it redirects elsewhere, which is not followed/,
  ],
  [
    (reply) => void reply.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in"),
    /an unexpected format, not a JSON object/,
  ],
  [
    (reply) => void reply.writeHead(200, { "content-length": "900" }).write('{"results": [', () => reply.destroy()),
    /closed|broke|incomplete|ended/,
  ],
  [(reply) => sendJson(reply, [1]), /an unexpected format/],
];

const DUCKDUCKGO_BREAKS: readonly Break[] = [
  [
    (reply) => void reply.writeHead(202, { "content-type": "text/html" }).end(PUZZLE),
    /takes the request for one of a robot.*wait some minutes, or .*hermes setup web/,
  ],
  [
    (reply) => void reply.writeHead(200, { "content-type": "text/html" }).end(PUZZLE),
    /takes the request for one of a robot/,
  ],
  [(reply) => void reply.writeHead(403).end(), /takes the request for one of a robot/],
  [
    (reply) => void reply.writeHead(429, { "retry-after": "30" }).end(),
    /answered 429; too many requests: try again in 30 s/,
  ],
  [(reply) => void reply.writeHead(500).end(), /answered 500: try again later, or .*hermes setup web/],
  [
    (reply) => void reply.writeHead(200).end("<html><body>Something new</body></html>"),
    /an unexpected form; it may have changed/,
  ],
  [
    (reply) => void reply.writeHead(200, { "content-length": "900" }).write("<html>", () => reply.destroy()),
    /closed|broke|incomplete|ended/,
  ],
];

for (const [vendor, { env, key, more }] of Object.entries(VENDORS)) {
  // field: C03
  test(`web_search by web/${vendor} sends the documented request, and reports each failure with a hint`, async () => {
    await using service = await startSearchService(vendor as Vendor);
    using user = new NewUser();
    await using home = await openHome(user, env(service.url), `web:\n  backend: ${vendor}\n`);
    const found = (count: number) =>
      PAGES.slice(0, count).map(({ url, title, text }, at) => ({
        title,
        url,
        description: `${text}${more}`,
        position: at + 1,
      }));
    for (const limit of [2, 3])
      assert.deepEqual(await home.call("web_search", { query: "tea", limit }), {
        success: true,
        data: { web: found(limit) },
      });
    assert.deepEqual(service.wrong, []);
    for (const [breaks, words] of vendor === "ddgs" ? DUCKDUCKGO_BREAKS : BREAKS) {
      service.state.broken = breaks;
      const answer = await home.call("web_search", { query: "tea" });
      assert.deepEqual(
        [answer["success"], String(answer["error"]).startsWith(`The search by "${vendor}" failed: `)],
        [false, true],
      );
      assert.match(String(answer["error"]), new RegExp(words.source.replace("KEY", key ?? "")));
      assert.doesNotMatch(JSON.stringify(answer), /key-of-the-test/);
    }
  });
}

// field: C03
test("waits once for a rate limit of a few seconds", async () => {
  await using service = await startSearchService("exa");
  using user = new NewUser();
  await using home = await openHome(user, VENDORS.exa.env(service.url));
  service.state.broken = (reply) => {
    service.state.broken = undefined;
    reply.writeHead(429, { "retry-after": "1" }).end("{}");
  };
  assert.equal((await home.call("web_search", { query: "tea" }))["success"], true);
  service.state.broken = (reply) => void reply.writeHead(429, { "retry-after": "0" }).end("{}");
  assert.match(String((await home.call("web_search", { query: "tea" }))["error"]), /answered 429.*try again in 0 s/);
  assert.equal(service.sent.length, 4);
});

// field: C03
test("in a new home without keys, web_search uses DuckDuckGo and the page reader is offered", async () => {
  await using service = await startSearchService("ddgs");
  using user = new NewUser();
  await using home = await openHome(user, VENDORS.ddgs.env(service.url));
  const web = (await home.app.tools.list({ surface: "cli", prompter: false })).filter(
    ({ declaration }) => declaration.toolset === "web",
  );
  assert.deepEqual(web.map(({ declaration, availability }) => [declaration.name, availability.ok]).sort(), [
    ["web_crawl", true],
    ["web_extract", true],
    ["web_search", true],
  ]);
  const answer = await home.call("web_search", { query: "tea", limit: 30 });
  const { web: found } = answer["data"] as { readonly web: readonly { readonly url: string }[] };
  assert.deepEqual([found.length, new Set(found.map(({ url }) => url)).size], [30, 30]);
  assert.equal(
    found.some(({ url }) => /ad\.example|duckduckgo/.test(url)),
    false,
  );
  assert.deepEqual(service.wrong, []);
  assert.deepEqual(await home.call("web_search", { query: "nothing" }), { success: true, data: { web: [] } });
});

// field: C03
test("any service with a key comes before DuckDuckGo, and a named one that cannot be used is an error", async () => {
  await using free = await startSearchService("ddgs");
  await using paid = await startSearchService("exa");
  using user = new NewUser();
  const both = { ...VENDORS.ddgs.env(free.url), ...VENDORS.exa.env(paid.url) };
  {
    await using home = await openHome(user, both);
    await home.call("web_search", { query: "tea" });
    assert.deepEqual([free.sent.length, paid.sent.length], [0, 1]);
  }
  for (const [settings, words] of [
    ["web:\n  search_backend: tavily\n", /web\.search_backend is "tavily", which cannot be used\..*TAVILY_API_KEY/],
    ["web:\n  backend: firecrawl\n", /web\.backend is "firecrawl", which cannot be used\. It lacks its key/],
    ["web:\n  backend: nowhere\n", /web\.backend is "nowhere", which cannot be used\..*Available: /],
  ] as const) {
    await using home = await openHome(user, both, settings);
    const answer = await home.call("web_search", { query: "tea" });
    assert.match(`${String(answer["error"])} ${String(answer["hint"])}`, words);
    assert.match(String(answer["hint"]), /hermes setup web/);
  }
  await using home = await openHome(user, both, "web:\n  extract_backend: ddgs\n");
  const answer = await home.call("web_extract", { urls: ["https://tea.example/black"] });
  assert.match(String(answer["error"]), /web\.extract_backend is "ddgs", which only searches and cannot read pages/);
  assert.deepEqual([free.sent.length, paid.sent.length], [0, 1]);
});

for (const vendor of ["exa", "firecrawl", "parallel"] as const) {
  // field: C03
  test(`web_extract by web/${vendor} reads pages, and returns an unreadable page as an entry with its error`, async () => {
    await using service = await startSearchService(vendor);
    using user = new NewUser();
    await using home = await openHome(user, VENDORS[vendor].env(service.url));
    const [first, , third] = PAGES;
    const gone = "https://gone.example/";
    const answer = await home.call("web_extract", { urls: [third!.url, gone, first!.url] });
    const results = answer["results"] as readonly JsonObject[];
    assert.deepEqual(
      results.map(({ url, title, content }) => [url, title, content]),
      [
        [third!.url, third!.title, third!.text],
        [gone, "", ""],
        [first!.url, first!.title, first!.text],
      ],
    );
    assert.match(String(results[1]!["error"]), /cannot read the page \(CRAWL_NOT_FOUND, 404\)|Not [Ff]ound/);
    assert.deepEqual(service.wrong, []);
    service.state.broken = (reply) => sendJson(reply, { error: "No." }, 402);
    const refused = (await home.call("web_extract", { urls: [gone] }))["results"] as readonly JsonObject[];
    assert.match(String(refused[0]!["error"]), /answered 402 \(No\); the plan or its credits/);
  });
}

// field: C03
test("uses xAI's domains, model and citations, and treats an error with status 200 as an error", async () => {
  await using service = await startSearchService("xai");
  using user = new NewUser();
  const settings = "web:\n  backend: xai\n  xai:\n    model: grok-9\n    allowed_domains: [a.example, b.example]\n";
  await using home = await openHome(user, VENDORS.xai.env(service.url), settings);
  await home.call("web_search", { query: "tea" });
  const sent = JSON.parse(service.sent[0]!.body) as { readonly model: string; readonly tools: unknown };
  assert.deepEqual(
    [sent.model, sent.tools, service.wrong],
    ["grok-9", [{ type: "web_search", filters: { allowed_domains: ["a.example", "b.example"] } }], []],
  );
  const message = (text: string, more: JsonObject = {}) => ({
    output: [
      { type: "message", content: [{ type: "output_text", text, annotations: [{ url: "https://noted.example/" }] }] },
    ],
    ...more,
  });
  for (const [answer, urls] of [
    [
      message("I found nothing in JSON.", { citations: ["https://cited.example/", 7] }),
      ["https://noted.example/", "https://cited.example/"],
    ],
    [message('{"results": [{"title": "no address"}, {"url": "https://ok.example/"}]}'), ["https://ok.example/"]],
    [{ output: [] }, []],
  ] as const) {
    service.state.broken = (reply) => sendJson(reply, answer);
    const { data } = await home.call("web_search", { query: "tea" });
    assert.deepEqual(
      (data as { readonly web: readonly JsonObject[] }).web.map(({ url }) => url),
      urls,
    );
  }
  service.state.broken = (reply) => sendJson(reply, { error: { message: "model overloaded" } });
  assert.match(String((await home.call("web_search", { query: "tea" }))["error"]), /it reported: model overloaded/);
});
