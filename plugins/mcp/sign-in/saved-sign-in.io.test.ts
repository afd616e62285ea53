import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { quietLog } from "hermes-agent/testing";
import { savedSignIn } from "./saved-sign-in.ts";
import { readEntry } from "../server/server-entry.ts";
import { TokenFiles } from "./token-files.ts";

/** Signed in to a server whose authorisation server answers like this. */
function signedIn(t: TestContext, answer: () => Response) {
  const home = mkdtempSync(join(tmpdir(), "hermes-sign-in-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const read = readEntry("hut", { url: "https://hut.example/mcp", auth: "oauth", oauth: { client_id: "me" } });
  assert.ok(read.kind === "server" && read.entry.place.kind === "http");
  const files = new TokenFiles(home, "hut");
  files.write("tokens", { access_token: "old", token_type: "Bearer", refresh_token: "old-refresh" });
  files.write("meta", { authorizationServerUrl: "https://auth.example" });
  const sent: string[] = [];
  const fetchFn = async (_url: string | URL, init?: RequestInit): Promise<Response> => (
    sent.push(String(init?.body)),
    answer()
  );
  const sign = savedSignIn("hut", read.entry.place.oauth!, { home, env: () => undefined, log: quietLog() })!;
  const refresh = async () => {
    await sign.token();
    await sign.onUnauthorized!({
      response: new Response(null, { status: 401 }),
      serverUrl: new URL("https://hut.example/mcp"),
      fetchFn,
    } as never);
    return sign.token();
  };
  return { files, refresh, sent };
}

const refused = (error: string) =>
  new Response(JSON.stringify({ error }), { status: 400, headers: { "content-type": "application/json" } });

test("refreshes an expired token and keeps the old refresh token if the server returns no new one", async (t) => {
  const { files, refresh, sent } = signedIn(
    t,
    () =>
      new Response(JSON.stringify({ access_token: "new", token_type: "Bearer" }), {
        headers: { "content-type": "application/json" },
      }),
  );
  assert.equal(await refresh(), "new");
  assert.match(sent[0]!, /refresh_token=old-refresh/);
  assert.deepEqual(files.read("tokens"), { refresh_token: "old-refresh", access_token: "new", token_type: "Bearer" });
});

test("deletes a sign-in that the server revokes", async (t) => {
  const { files, refresh } = signedIn(t, () => refused("invalid_grant"));
  await assert.rejects(refresh(), /The sign-in has expired/);
  assert.equal(files.read("tokens"), undefined);
});

test("keeps a sign-in while the authorisation server fails or is busy", async (t) => {
  for (const answer of [
    () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
    () => refused("temporarily_unavailable"),
    () => refused("too_many_requests"),
  ]) {
    const { files, refresh } = signedIn(t, answer);
    await assert.rejects(refresh());
    assert.deepEqual(files.read("tokens"), { access_token: "old", token_type: "Bearer", refresh_token: "old-refresh" });
  }
});

test("keeps the tokens that another process saved during a failed refresh", async (t) => {
  const { files, refresh } = signedIn(t, () => {
    files.write("tokens", { access_token: "theirs", token_type: "Bearer", refresh_token: "their-refresh" });
    return refused("invalid_grant");
  });
  assert.equal(await refresh(), "theirs");
});
