import assert from "node:assert/strict";
import { test } from "node:test";
import { isLoopbackHost } from "./listen.ts";

test("loopback addresses are those that no other machine can reach", () => {
  for (const host of ["127.0.0.1", "127.1.2.3", "::1", "localhost"]) assert.equal(isLoopbackHost(host), true, host);
  for (const host of ["0.0.0.0", "::", "192.168.1.2", "127.0.0.1.example.org", "127.evil.example", "example.org", ""])
    assert.equal(isLoopbackHost(host), false, host);
});
