import assert from "node:assert/strict";
import { test } from "node:test";
import { refuseName, refuseOrigin, refuseUnknown, type Door } from "./guard.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

const loopback: Door = { host: "127.0.0.1", machine: "studio", token: "the-token" };
const open: Door = { ...loopback, host: "0.0.0.0" };
const status = (door: Door, host: string | undefined): number | undefined => refuseName({ host }, door)?.status;

test("on loopback accepts only names of this machine, with any port", () => {
  for (const host of ["127.0.0.1:9119", "localhost:9000", "[::1]:9119", "127.0.0.2"])
    assert.equal(status(loopback, host), undefined, host);
  for (const host of [
    "evil.example:9119",
    "studio:9119",
    "10.0.0.3:9119",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "127.0.0.1@evil.example",
    "",
    undefined,
  ])
    assert.equal(status(loopback, host), 403, host);
});

test("on other addresses accepts IP addresses and its own names, but no other names", () => {
  for (const host of ["10.0.0.3:9119", "[fd00::3]:9119", "Studio:9119", "localhost:9119"])
    assert.equal(status(open, host), undefined, host);
  for (const host of ["evil.example:9119", "studio.evil.example"]) assert.equal(status(open, host), 403, host);
});

test("refuses pages of another origin, including another port", () => {
  const from = (origin: string | undefined): number | undefined =>
    refuseOrigin(definedFields({ host: "127.0.0.1:9119", origin }))?.status;
  for (const origin of ["http://127.0.0.1:9119", "https://127.0.0.1:9119", undefined])
    assert.equal(from(origin), undefined, origin);
  for (const origin of ["http://evil.example", "http://127.0.0.1:8000", "http://localhost:9119", "null"])
    assert.equal(from(origin), 403, origin);
});

test("requires the complete token in a header", () => {
  assert.equal(refuseUnknown({ "x-hermes-session-token": "the-token" }, loopback), undefined);
  assert.equal(refuseUnknown({ authorization: "Bearer the-token" }, loopback), undefined);
  for (const headers of [
    {},
    { "x-hermes-session-token": "" },
    { "x-hermes-session-token": "the-toke" },
    { authorization: "Basic the-token" },
    { cookie: "token=the-token" },
  ])
    assert.equal(refuseUnknown(headers, loopback)?.status, 401);
});
