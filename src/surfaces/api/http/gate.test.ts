import assert from "node:assert/strict";
import { test } from "node:test";
import { corsHeaders, refusedKey, refusedOrigin } from "./gate.ts";

const KEY = "3f1c9d2e7a5b4c6d8e0f1a2b3c4d5e6f";

test("requires the complete key after Bearer", () => {
  // field: S13
  for (const scheme of ["Bearer", "bearer", "BEARER", "Bearer  "])
    assert.equal(refusedKey({ authorization: `${scheme} ${KEY}` }, KEY), undefined, scheme);
  for (const authorization of [
    undefined,
    "",
    KEY,
    "Bearer",
    "Bearer ",
    `Bearer ${KEY.slice(1)}`,
    `Bearer ${KEY} `,
    `Basic ${KEY}`,
    `Bearer ${KEY},${KEY}`,
  ])
    assert.equal(refusedKey(authorization === undefined ? {} : { authorization }, KEY)?.status, 401, authorization);
});

test("allows only exactly listed origins", () => {
  const origins = ["https://chat.example.org"];
  assert.equal(refusedOrigin({}, []), undefined);
  assert.equal(refusedOrigin({ origin: "https://chat.example.org" }, origins), undefined);
  for (const origin of [
    "http://chat.example.org",
    "https://chat.example.org:8443",
    "https://chat.example.org.evil.example",
    "null",
    "",
  ])
    assert.equal(refusedOrigin({ origin }, origins)?.status, 403, origin);
  assert.equal(refusedOrigin({ origin: "https://anything.example" }, ["*"]), undefined);
});

test("sends no CORS headers without configured origins", () => {
  assert.deepEqual(corsHeaders({ origin: "https://chat.example.org" }, []), {});
  assert.deepEqual(corsHeaders({}, ["https://chat.example.org"]), { vary: "Origin" });
});
