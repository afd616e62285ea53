import assert from "node:assert/strict";
import { test } from "node:test";
import { pageLinks } from "./page-links.ts";

test("finds links to the page's host once each, and only links to pages", () => {
  const html = `<a href="/a?x=1&amp;y=2#part">The A</a><a class=x href='b/c'> B
    too</a><a href=/a?x=1&y=2>again</a><a href="https://other.example/">away</a><a href="mailto:x@y.example">mail</a><a href="/logo.png">picture</a><a name="here">none</a><a href="http://[">broken</a><area href="/no">`;
  assert.deepEqual(pageLinks(html, "https://site.example/dir/page"), [
    { url: "https://site.example/a?x=1&y=2", words: "The A" },
    { url: "https://site.example/dir/b/c", words: "B too" },
  ]);
});

test("reads the links of a page built to be slow in time", { timeout: 20_000 }, () => {
  for (const piece of ["<a ", '<a href="', "<a href='x", "<a>", "<a href=x>"])
    assert.ok(pageLinks(piece.repeat(200_000), "https://site.example/").length >= 0, piece);
});
