import assert from "node:assert/strict";
import { test } from "node:test";
import { send, type WireResult } from "./http.ts";
import { judgedLookup } from "./judged-lookup.ts";

function look(hostname: string, all: boolean): Promise<{ readonly error: NodeJS.ErrnoException | null; readonly found: unknown }> {
  return new Promise((resolve) => judgedLookup(hostname, { all }, (error, found) => resolve({ error, found })));
}

const ask = (url: string): Promise<WireResult> => send({ service: "The service", method: "GET", url, headers: {}, connectMs: 2_000, signal: new AbortController().signal });

// req: R-30
test("a model's endpoint may be private, and a cloud's metadata is not asked: not as an address in any spelling, and not as what a name leads to", async () => {
  for (const url of ["http://169.254.169.254/v1", "http://0xa9fea9fe/v1", "http://2852039166/v1", "http://[fd00:ec2::254]/v1", "http://[::ffff:169.254.169.254]/v1"]) {
    const result = await ask(url);
    assert.ok(result.kind === "failure" && result.failure.code === "bad_request" && /is not asked: .*metadata/.test(result.failure.message), `${url}: ${JSON.stringify(result)}`);
  }
  // A resolver hands an address back as it is, as it would hand back what a name leads to.
  const { error } = await look("169.254.169.254", true);
  assert.deepEqual([error?.code, /metadata/.test(error?.message ?? "")], ["ERR_REFUSED_ADDRESS", true]);
  assert.deepEqual(await look("127.0.0.1", true), { error: null, found: [{ address: "127.0.0.1", family: 4 }] });
  assert.deepEqual(await look("10.1.2.3", false), { error: null, found: "10.1.2.3" });
  assert.equal((await look("no-such-name.invalid", true)).error?.syscall, "getaddrinfo");
});
