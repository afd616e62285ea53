import assert from "node:assert/strict";
import { test } from "node:test";
import { plainText } from "./plain-text.ts";

test("converts Markdown to plain text and keeps code unchanged", () => {
  const markdown =
    "# Title\n\nSome **bold**, *leaning*, _low_ and ~~gone~~ words, `a_b * c`, [a page](https://example.org/a_b_c) and <https://example.org>.\n\n* one\n* two\n```sh\necho **x** # y\n```\nsnake_case_name, 2*3*4";
  assert.equal(
    plainText(markdown),
    "Title\n\nSome bold, leaning, low and gone words, a_b * c, a page (https://example.org/a_b_c) and <https://example.org>.\n\n- one\n- two\necho **x** # y\nsnake_case_name, 2*3*4",
  );
});
