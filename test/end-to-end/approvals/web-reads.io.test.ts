import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ApprovalRequest } from "../../../src/contract/tools/approval.ts";
import type { Fact } from "../../../src/contract/conversation/fact.ts";
import type { Prompter } from "../../../src/contract/conversation/question.ts";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { sendJson, startWebService } from "../../servers/web-service.ts";
import { NO_CHROMIUM, startSite } from "../support/browsing.ts";
import { scene } from "../support/family.ts";

type Step = readonly [tool: string, args: JsonObject];

const OPEN = "security:\n  allow_private_urls: true\n";

/** Outcomes of the calls, in order: `ok`, or the reason why a call did not run. */
function outcomes(facts: readonly Fact[]): readonly string[] {
  return facts.flatMap((fact) =>
    fact.type !== "tool.settled"
      ? []
      : [
          fact.outcome.kind === "denied"
            ? fact.outcome.reason
            : fact.outcome.kind === "failed"
              ? fact.outcome.message
              : fact.outcome.kind,
        ],
  );
}

function answering(asked: ApprovalRequest[], scope: "once" | "session"): Prompter {
  return {
    ask: async (question) =>
      question.kind === "approval"
        ? (asked.push(question.request), { kind: "approved", scope: question.scopes.includes(scope) ? scope : "once" })
        : { kind: "none", reason: "nobody" },
  };
}

// field: C04
test("without a user, reads pages that a search and its pages listed, also after a restart, but not altered addresses", async (t) => {
  await using site = await startWebService(({ url }, reply) => {
    const [path] = url.split("?");
    if (path === "/search")
      return sendJson(reply, { results: [{ title: "Tea", url: `${site.url}/tea?id=1`, content: "All of tea" }] });
    const html = `<title>Tea</title><p>Tea at ${url}.</p><a href="/green">Green</a> <a href="http://127.0.0.2:9/x">Other</a>`;
    reply.writeHead(200, { "content-type": "text/html" }).end(html);
  });
  const read = (...paths: readonly string[]): Step => [
    "web_extract",
    { urls: paths.map((path) => new URL(path, site.url).href) },
  ];
  const steps: readonly Step[] = [
    ["web_search", { query: "tea" }],
    read("/tea?id=1"),
    read("/green"),
    read("/tea?id=1&d=secret"),
    read("/tea?id=1#secret"),
    read("http://127.0.0.2:9/x"),
    read("/green", "/made-up"),
  ];
  await using model = await startOpenAiServer([
    ...steps.map(([tool, args]) => ({ calls: [{ tool, args }] })),
    { text: "done" },
    { calls: [{ tool: "web_extract", args: { urls: [`${site.url}/green`] } }] },
    { calls: [{ tool: "web_extract", args: { urls: [`${site.url}/red`] } }] },
    { text: "done" },
  ]);
  const { app, session, facts } = await scene(t, model.url, {
    extra: OPEN,
    setup: (user) => user.write("~/.hermes/.env", `OPENAI_API_KEY=key-of-the-test\nSEARXNG_URL=${site.url}\n`),
  });
  await session.send("Find out about tea.");
  const refused = /needs approval \(request to an address after untrusted content\), and no user is connected/;
  const [first, second, third, ...rest] = outcomes(facts());
  assert.deepEqual([first, second, third], ["ok", "ok", "ok"]);
  assert.equal(rest.length, 4);
  for (const reason of rest) assert.match(reason, refused);
  assert.deepEqual(
    site.sent.map(({ url }) => url),
    ["/search?q=tea&format=json", "/tea?id=1", "/green"],
  );

  const { id } = session;
  await session[Symbol.asyncDispose]();
  await using again = await app.openSession({ surface: "cli", cwd: session.cwd, sessionId: id });
  const later: Fact[] = [];
  again.subscribe((event) => event.kind === "fact" && void later.push(event.recorded.fact));
  await again.send("Go on.");
  const [listed, other] = outcomes(later);
  assert.equal(listed, "ok");
  assert.match(other!, refused);
});

// field: C04
test("approving searches after untrusted content once covers the session", async (t) => {
  await using service = await startWebService((_, reply) => sendJson(reply, { results: [] }));
  const search = (query: string) => ({ calls: [{ tool: "web_search", args: { query } }] });
  await using model = await startOpenAiServer([search("one"), search("two"), search("three"), { text: "done" }]);
  const asked: ApprovalRequest[] = [];
  const { session, facts } = await scene(t, model.url, {
    extra: OPEN,
    open: { prompter: answering(asked, "session") },
    setup: (user) => user.write("~/.hermes/.env", `OPENAI_API_KEY=key-of-the-test\nSEARXNG_URL=${service.url}\n`),
  });
  await session.send("Find out about tea.");
  assert.deepEqual(outcomes(facts()), ["ok", "ok", "ok"]);
  assert.deepEqual(
    asked.map(({ risk }) => [risk.key, risk.fresh]),
    [["data sent to the search service after untrusted content", "session"]],
  );
});

describe("browser", { skip: NO_CHROMIUM }, () => {
  const FORM = {
    "/": `<title>Shop</title><form action="/found"><label>Search <input name="q"></label><button>Go</button></form>`,
    "/found": `<title>Found</title><label>Search <input name="q"></label>`,
  };
  const steps = (url: string): readonly Step[] => [
    ["browser_navigate", { url }],
    ["browser_type", { ref: "@e1", text: "tea" }],
    ["browser_type", { ref: "@e1", text: "green tea" }],
    ["browser_click", { ref: "@e2" }],
  ];

  // field: C04
  test("typing into a site that the user named asks once per session; clicking does not ask", async (t) => {
    await using site = await startSite(FORM);
    await using model = await startOpenAiServer([
      ...steps(`${site.url}/`).map(([tool, args]) => ({ calls: [{ tool, args }] })),
      { text: "done" },
    ]);
    const asked: ApprovalRequest[] = [];
    const open = { prompter: answering(asked, "session") };
    const { session, facts } = await scene(t, model.url, { extra: OPEN, open });
    await session.send(`Search for green tea on ${site.url}/`);
    assert.deepEqual(outcomes(facts()), ["ok", "ok", "ok", "ok"]);
    const { host } = new URL(site.url);
    assert.deepEqual(
      asked.map(({ risk }) => risk.key),
      [`text typed into pages of ${host} after untrusted content`],
    );
    assert.ok(site.asked.some(({ url }) => url === "/found?q=green+tea"));
  });

  // field: C04
  test("typing into a site that the user did not name asks each time", async (t) => {
    await using site = await startSite(FORM);
    await using model = await startOpenAiServer([
      ...steps(`${site.url}/`).map(([tool, args]) => ({ calls: [{ tool, args }] })),
      { text: "done" },
    ]);
    const asked: ApprovalRequest[] = [];
    const open = { prompter: answering(asked, "session") };
    const { session, facts } = await scene(t, model.url, { extra: OPEN, open });
    await session.send("Search for green tea.");
    assert.deepEqual(outcomes(facts()), ["ok", "ok", "ok", "ok"]);
    assert.deepEqual(
      asked.map(({ risk }) => [risk.key, risk.fresh]),
      [
        ["data sent out after untrusted content", true],
        ["data sent out after untrusted content", true],
      ],
    );
  });

  // field: C04
  test("a field in another site's frame counts as that site's, on any page", async (t) => {
    await using other = await startSite({ "/": `<label>Inner <input name="q"></label>` }, "127.0.0.2");
    await using site = await startSite({ "/": `<title>Outer</title><iframe title="f" src="${other.url}/"></iframe>` });
    await using model = await startOpenAiServer([
      ...(
        [
          ["browser_navigate", { url: `${site.url}/` }],
          ["browser_type", { ref: "@e1", text: "tea" }],
        ] as const
      ).map(([tool, args]) => ({ calls: [{ tool, args }] })),
      { text: "done" },
    ]);
    const asked: ApprovalRequest[] = [];
    const open = { prompter: answering(asked, "session") };
    const { session } = await scene(t, model.url, { extra: OPEN, open });
    await session.send(`Open ${site.url}/`);
    assert.deepEqual(
      asked.map(({ risk }) => risk.key),
      ["data sent out after untrusted content"],
    );
  });
});
