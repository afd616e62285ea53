import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutLogin } from "../text/visible.ts";

test("names and passwords go out of addresses, wherever they stand in a text, and everything else stays", () => {
  for (const [text, without] of [
    ["https://me:T0KEN@host/a/b.git#sub", "https://host/a/b.git#sub"],
    ["https://T0KEN@host:8443/a", "https://host:8443/a"],
    ["https://me:T0@KEN@host/a", "https://host/a"],
    ["HTTP://me:T0KEN@host", "HTTP://host"],
    [
      "fatal: unable to access 'https://me:T0KEN@host/a/': Failed\nhttps://T0KEN@host",
      "fatal: unable to access 'https://host/a/': Failed\nhttps://host",
    ],
    ["ssh://git:T0KEN@host/a", "ssh://git@host/a"],
    ["ssh://git@host/a", "ssh://git@host/a"],
    ["git@github.com:a/b", "git@github.com:a/b"],
    ["https://host/@scope/a", "https://host/@scope/a"],
    ["owner/repo", "owner/repo"],
  ] as const)
    assert.equal(withoutLogin(text), without);
});
