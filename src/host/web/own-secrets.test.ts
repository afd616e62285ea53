import assert from "node:assert/strict";
import { test } from "node:test";
import { othersSecrets } from "./own-secrets.ts";

// req: R-39
test("a declared secret may go in headers to its hosts, and in a URL or body only to them; an undeclared one nowhere", () => {
  const ports = {
    secrets: () => ["anywhere", "there", "nobody's"],
    own: () => [{ value: "anywhere" }, { value: "there", hosts: ["api.example"] }],
  };
  const saved = (where: "address" | "header" | "body", host: string | undefined) => othersSecrets(ports, where, host);
  assert.deepEqual(saved("header", "api.example"), ["nobody's"]);
  assert.deepEqual(saved("header", "eu.api.example"), ["nobody's"]);
  for (const host of ["other.example", "api.example.evil.example", "notapi.example", undefined])
    assert.deepEqual(saved("header", host), ["there", "nobody's"], host);
  for (const where of ["address", "body"] as const) {
    assert.deepEqual(saved(where, "api.example"), ["anywhere", "nobody's"]);
    assert.deepEqual(saved(where, "other.example"), ["anywhere", "there", "nobody's"]);
  }
  assert.deepEqual(othersSecrets({ secrets: () => ["a"] }, "header", "api.example"), ["a"]);
});
