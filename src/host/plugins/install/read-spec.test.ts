import assert from "node:assert/strict";
import { test } from "node:test";
import { readSpec } from "./read-spec.ts";
import { withoutUndefined } from "../../../testing/without-undefined.ts";

const read = (text: string, ref?: string) => readSpec(text, { home: "/home/me", ref });

test("understands each form of a source", () => {
  const forms: readonly (readonly [string, object])[] = [
    ["someone/dice", { kind: "git", url: "https://github.com/someone/dice.git" }],
    ["someone/many/plugins/dice", { kind: "git", url: "https://github.com/someone/many.git", sub: "plugins/dice" }],
    ["https://example.org/dice.git", { kind: "git", url: "https://example.org/dice.git" }],
    ["https://example.org/dice.git#inner", { kind: "git", url: "https://example.org/dice.git", sub: "inner" }],
    [
      "https://example.org/many.git/inner/dice",
      { kind: "git", url: "https://example.org/many.git", sub: "inner/dice" },
    ],
    [
      "https://github.com/someone/many/tree/main/dice",
      { kind: "git", url: "https://github.com/someone/many.git", ref: "main", sub: "dice" },
    ],
    ["git@example.org:someone/dice.git", { kind: "git", url: "git@example.org:someone/dice.git" }],
    ["file:///srv/dice", { kind: "git", url: "file:///srv/dice" }],
    ["./dice", { kind: "folder", path: "./dice" }],
    ["~/dice", { kind: "folder", path: "/home/me/dice" }],
    [".", { kind: "folder", path: "." }],
    ["/srv/dice-1.0.tar.gz", { kind: "archive", path: "/srv/dice-1.0.tar.gz" }],
    ["./dice.tgz", { kind: "archive", path: "./dice.tgz" }],
    ["npm:dice", { kind: "npm", name: "dice" }],
    ["npm:@me/dice@^1.2.0", { kind: "npm", name: "@me/dice", version: "^1.2.0" }],
    ["pypi:hermes-plugin-dice", { kind: "pypi", name: "hermes-plugin-dice" }],
    ["pypi:dice==1.0.2", { kind: "pypi", name: "dice", version: "1.0.2" }],
  ];
  for (const [text, spec] of forms) assert.deepEqual(withoutUndefined(read(text)), spec, text);
  assert.deepEqual(read("someone/dice", "v1.0"), {
    kind: "git",
    url: "https://github.com/someone/dice.git",
    ref: "v1.0",
  });
});

test("refuses what is not a source or leads out of it", () => {
  for (const text of ["dice", "", "npm:", "npm:../x", "pypi:dice==1; rm -rf /", "--upload-pack=x", "npm:--prefix=/"])
    assert.throws(() => read(text), /is not a source that Hermes can fetch a plugin from/, text);
  for (const text of ["https://example.org/dice.git#../../etc", "someone/dice/../../x"])
    assert.throws(() => read(text), /leads out of the repository|is not a source/, text);
  assert.throws(() => read("someone/dice", "--upload-pack=x"), /is not a valid name of a branch/);
});
