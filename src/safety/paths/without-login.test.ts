import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutLogin } from "../text/visible.ts";

test("removes names and passwords from addresses anywhere in a text, and keeps everything else", () => {
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
