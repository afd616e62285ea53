import assert from "node:assert/strict";
import { test } from "node:test";
import { readNeed } from "./python-needs.ts";

test("reads a requirement as pip writes it, and ignores options, folders and URLs", () => {
  assert.deepEqual(readNeed("Foo_Bar[extra, more] >=1.0, <2 ; python_version < '3.9'"), {
    text: "Foo_Bar[extra, more] >=1.0, <2 ; python_version < '3.9'",
    name: "foo-bar",
    versions: [
      { operator: ">=", version: "1.0" },
      { operator: "<", version: "2" },
    ],
    marker: "python_version < '3.9'",
  });
  assert.deepEqual(readNeed("six (==1.16.*)")?.versions, [{ operator: "==", version: "1.16.*" }]);
  for (const odd of [
    "--index-url=http://evil.example",
    "-r more.txt",
    "./wheels/foo.whl",
    "foo @ git+https://example.org/foo.git",
    "https://example.org/foo.whl",
    "foo bar",
    "",
  ])
    assert.equal(readNeed(odd), undefined, odd);
});
