import assert from "node:assert/strict";
import { test } from "node:test";
import { foreignSecrets } from "./own-secrets.ts";

// req: R-39
test("a declared secret may go in a header to its hosts or to any, in an address or a body to its hosts alone; what is not declared goes nowhere", () => {
  const ports = {
    secrets: () => ["anywhere", "there", "nobody's"],
    own: () => [{ value: "anywhere" }, { value: "there", hosts: ["api.example"] }],
  };
  const kept = (where: "address" | "header" | "body", host: string | undefined) => foreignSecrets(ports, where, host);
  assert.deepEqual(kept("header", "api.example"), ["nobody's"]);
  assert.deepEqual(kept("header", "eu.api.example"), ["nobody's"]);
  for (const host of ["other.example", "api.example.evil.example", "notapi.example", undefined])
    assert.deepEqual(kept("header", host), ["there", "nobody's"], host);
  for (const where of ["address", "body"] as const) {
    assert.deepEqual(kept(where, "api.example"), ["anywhere", "nobody's"]);
    assert.deepEqual(kept(where, "other.example"), ["anywhere", "there", "nobody's"]);
  }
  assert.deepEqual(foreignSecrets({ secrets: () => ["a"] }, "header", "api.example"), ["a"]);
});
