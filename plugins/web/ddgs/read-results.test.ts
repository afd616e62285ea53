import assert from "node:assert/strict";
import { test } from "node:test";
import { readResults } from "./read-results.ts";

const link = (attributes: string, title = "Tea", snippet = "About tea") =>
  `<div class="result results_links web-result"><h2><a ${attributes}>${title}</a></h2><a class="result__snippet" href="x">${snippet}</a></div>`;
const urls = (html: string) => {
  const read = readResults(html);
  return read.kind === "results" ? read.results.map(({ url }) => url) : read.kind;
};

// field: C03
test("reads direct addresses and those behind DuckDuckGo's redirect, unchanged", () => {
  for (const [href, url] of [
    ["https://tea.example/a?x=1&amp;y=2#z", "https://tea.example/a?x=1&y=2#z"],
    [
      "//duckduckgo.com/l/?uddg=https%3A%2F%2Ftea.example%2Fa%3Fx%3D1%26y%3D%2520&amp;rut=1",
      "https://tea.example/a?x=1&y=%20",
    ],
    ["/l/?kh=-1&uddg=http%3A%2F%2Ftea.example%2F", "http://tea.example/"],
    ["https://duckduckgo.com/l/?uddg=https://tea.example/", "https://tea.example/"],
  ] as const)
    for (const attributes of [`class="result__a" href="${href}"`, `rel='nofollow' href='${href}' class='a result__a'`])
      assert.deepEqual(urls(link(attributes)), [url], attributes);
});

// field: C03
test("skips advertisements, DuckDuckGo's own pages and invalid web addresses", () => {
  for (const href of [
    "https://duckduckgo.com/y.js?ad_domain=a.example",
    "//duckduckgo.com/l/?uddg=https%3A%2F%2Fduckduckgo.com%2Fy.js%3Fx",
    "//duckduckgo.com/l/?uddg=javascript%3Aalert(1)",
    "//duckduckgo.com/l/?other=1",
    "/settings",
    "javascript:alert(1)",
    "mailto:a@tea.example",
    "http://",
    "",
  ])
    assert.deepEqual(urls(link(`class="result__a" href="${href}"`)), [], href);
});

// field: C03
test("returns titles and descriptions as plain text, each with its own result", () => {
  const html = `${link('class="result__a" href="https://a.example/"', "A &amp; <b>B</b>", "one&#39;s <b>tea</b> &lt;i&gt;\n  two")}
    <h2><a class="result__a" href="https://b.example/">&#x8336;</a></h2>${link('class="result__a" href="https://c.example/"', "C", "&unknown; &#0;")}`;
  const read = readResults(html);
  assert.ok(read.kind === "results");
  assert.deepEqual(read.results, [
    { title: "A & B", url: "https://a.example/", description: "one's tea <i> two" },
    { title: "茶", url: "https://b.example/", description: "" },
    { title: "C", url: "https://c.example/", description: "&unknown; �" },
  ]);
});

// field: C03
test("distinguishes a page without results from a bot challenge and from any other page", () => {
  assert.deepEqual(urls('<div class="no-results">No results for x</div>'), []);
  assert.deepEqual(urls('<div class="result result--no-result">…</div>'), []);
  assert.equal(urls('<form id="challenge-form" action="//duckduckgo.com/anomaly.js">'), "blocked");
  assert.equal(urls("<h1>Unfortunately, bots use DuckDuckGo too.</h1>"), "blocked");
  for (const html of ["", "<html></html>", "Bad gateway", '{"results": []}']) assert.equal(urls(html), "unknown", html);
});

test("a page of 60,000 unfinished tags has no results, and is read in time", () => {
  for (const piece of ['<a class="result__a" ', "<a ", '<a class="result__a" href="', '<a class="result__a">', "&#x"])
    assert.equal(urls(piece.repeat(60_000)), "unknown", piece);
});
