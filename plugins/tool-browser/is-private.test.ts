import assert from "node:assert/strict";
import { test } from "node:test";
import { isPrivate } from "./is-private.ts";

test("addresses of this machine and its networks are private; public addresses and cloud metadata addresses are not", async () => {
  for (const address of [
    "http://localhost:3000/",
    "http://127.0.0.1/",
    "http://192.168.1.10/x",
    "http://[::1]/",
    "http://nas.lan/",
    "http://printer/",
  ])
    assert.equal(await isPrivate(address, async () => true), true, address);
  for (const address of ["https://93.184.216.34/", "http://169.254.169.254/", "about:blank", "no address"])
    assert.equal(await isPrivate(address, async () => true), false, address);
});

test("does not resolve a host name that the policy forbids to request", async () => {
  const looked: string[] = [];
  const lookUp = async (name: string) => (looked.push(name), [{ address: "10.0.0.5" }]);
  assert.equal(await isPrivate("https://swordfish.example.org/", async () => false, lookUp), false);
  assert.deepEqual(looked, []);
  assert.equal(await isPrivate("https://nas.example.org/", async () => true, lookUp), true);
  assert.deepEqual(looked, ["nas.example.org"]);
});
