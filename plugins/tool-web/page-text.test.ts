import assert from "node:assert/strict";
import { test } from "node:test";
import { pageText } from "./page-text.ts";

test("extracts visible text with headings, lists and link URLs", () => {
  const page = `<!DOCTYPE html><html><head><title>Tea &amp; more</title><style>p { color: red }</style><script>if (a < b) document.write("<p>no</p>")</script></head>
    <body><!-- hidden <p>words</p> --><h1>Kinds of
    tea</h1><p>Green &#8211; <b>and</b> <a href="https://tea.example/black?a=1&amp;b=2">black</a>.<br>Two lines<script>x()</script></p>
    <ul><li>one</li><li>two <a href="#top">top</a> <a href="//cdn.example/x"></a></li></ul><table><tr><td>a</td><td>b</td></tr></table><noscript>Turn scripts on</noscript><textarea>typed</textarea></body></html>`;
  assert.deepEqual(pageText(page), {
    title: "Tea & more",
    content:
      "# Kinds of tea\n\nGreen – and [black](https://tea.example/black?a=1&b=2).\nTwo lines\n\n- one\n\n- two top\n\na | b |",
  });
});

test("broken pages are read as far as they go", () => {
  assert.deepEqual(pageText("plain words & a < b"), { title: "", content: "plain words & a < b" });
  assert.deepEqual(pageText('<p>one<p>two<a href="https://a.example/">three'), { title: "", content: "one\ntwothree" });
  assert.deepEqual(pageText("<p>seen<script>never closed <p>not seen"), { title: "", content: "seen" });
  assert.deepEqual(pageText('<p title="a > b">words</p>&unknown; &#0; &#xD800;'), {
    title: "",
    content: "words\n&unknown; \ufffd \ufffd",
  });
  assert.deepEqual(pageText(""), { title: "", content: "" });
});

test("a page made to be slow is not", { timeout: 20_000 }, () => {
  for (const piece of [
    "<a href='",
    '<a href="https://x.example/">x',
    "<!--",
    "<p ",
    "<",
    "</",
    "<script>",
    "&#1;",
    "<title>",
    "<![CDATA[",
  ])
    assert.ok(pageText(piece.repeat(200_000)).content.length >= 0, piece);
});
