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

test("reads broken pages as far as possible", () => {
  assert.deepEqual(pageText("plain words & a < b"), { title: "", content: "plain words & a < b" });
  assert.deepEqual(pageText('<p>one<p>two<a href="https://a.example/">three'), { title: "", content: "one\ntwothree" });
  assert.deepEqual(pageText("<p>seen<script>never closed <p>not seen"), { title: "", content: "seen" });
  assert.deepEqual(pageText('<p title="a > b">words</p>&unknown; &#0; &#xD800;'), {
    title: "",
    content: "words\n&unknown; \ufffd \ufffd",
  });
  assert.deepEqual(pageText(""), { title: "", content: "" });
});

test("reads the text of a page built to be slow in time", { timeout: 20_000 }, () => {
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

// field: F11
test("code blocks keep line breaks and indentation, also with highlighted words and one element per line", () => {
  assert.equal(
    pageText("<p>Run:</p><pre>def f():\n    return 1</pre><p>Done</p>").content,
    "Run:\n\n```\ndef f():\n    return 1\n```\n\nDone",
  );
  assert.equal(
    pageText('<pre class="x"><code>\n<span>if</span> a &lt; b:\n\tgo( )\n\n\n\nend\n</code></pre>').content,
    "```\nif a < b:\n\tgo( )\n\n\n\nend\n```",
  );
  assert.equal(pageText("<pre><div>one</div><div>  two</div></pre>x").content, "```\none\n  two\n```\n\nx");
  assert.equal(pageText("<pre>a<br>  b\r\n  c").content, "```\na\n  b\n  c\n```");
  assert.equal(pageText("<pre>```js\nx\n```</pre>").content, "````\n```js\nx\n```\n````");
  assert.equal(pageText("<pre></pre>\ue000icon").content, "icon");
});

// field: F11
test("resolves links against the page or its base", () => {
  const from = "https://docs.example/guide/start.html?x=1";
  const page =
    '<a href="next.html">next</a> <a href="/top">top</a> <a href="../up?a=1&amp;b=2">up</a> <a href="//cdn.example/y">cdn</a> <a href="?q">query</a>';
  assert.equal(
    pageText(page, from).content,
    "[next](https://docs.example/guide/next.html) [top](https://docs.example/top) [up](https://docs.example/up?a=1&b=2) [cdn](https://cdn.example/y) [query](https://docs.example/guide/start.html?q)",
  );
  assert.equal(
    pageText(`<head><base href="/v2/"></head><a href="a">a</a>`, from).content,
    "[a](https://docs.example/v2/a)",
  );
  assert.equal(
    pageText(
      '<a href="#here">here</a> <a href="javascript:x()">run</a> <a href="mailto:a@b.example">write</a> <a href="">none</a>',
      from,
    ).content,
    "here run write none",
  );
});
