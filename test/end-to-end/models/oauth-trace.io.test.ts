import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startMcpOAuth } from "../../servers/mcp-oauth.ts";
import { startSpotify } from "../../servers/spotify.ts";
import { NewUser } from "../support/test-user.ts";

/** Signs in by the address that the command shows, as a browser would. @returns what was shown. */
async function signIn(user: NewUser, words: readonly string[]): Promise<string> {
  const login = user.start(words);
  let [shown, visited] = ["", false];
  for await (const piece of login.stdout!) {
    shown += String(piece);
    const address = /http:\/\/127\.0\.0\.1:\d+\/authorize\S+/.exec(shown)?.[0];
    if (address === undefined || visited) continue;
    visited = true;
    await (await fetch(address)).text();
  }
  return shown;
}

/** The steps in the log, without time and level. */
function steps(user: NewUser): readonly string[] {
  const lines = readFileSync(join(user.agentHome, "logs/agent.log"), "utf8").split("\n");
  return lines.flatMap((line) => /oauth_trace ([a-z -]+)/.exec(line)?.[1]?.trim() ?? []);
}

// req: models.oauth-trace
test("with HERMES_OAUTH_TRACE the log has the steps of Spotify sign-in and renewal, and no token; without it, none", async () => {
  await using spotify = await startSpotify();
  using user = new NewUser();
  user.write(
    "~/.hermes/config.yaml",
    "plugins:\n  enabled: [spotify]\nsecurity:\n  allow_private_urls: true\nlogging: { level: DEBUG }\n",
  );
  const variables = {
    ...spotify.variables,
    HERMES_SPOTIFY_CLIENT_ID: "client-of-the-test",
    HERMES_SPOTIFY_REDIRECT_URI: "http://127.0.0.1:0/back",
  };
  const write = (more: { readonly [name: string]: string }): string =>
    user.write(
      "~/.hermes/.env",
      Object.entries({ ...variables, ...more })
        .map(([name, value]) => `${name}=${value}\n`)
        .join(""),
    );
  write({});
  assert.match(await signIn(user, ["auth", "spotify", "login"]), /You are signed in to Spotify/);
  assert.deepEqual(steps(user), []);

  write({ HERMES_OAUTH_TRACE: "1" });
  assert.match(await signIn(user, ["auth", "spotify", "login"]), /You are signed in to Spotify/);
  const secrets = [...spotify.tokens()];
  spotify.expire();
  assert.match((await user.run(["tools", "call", "spotify_search", '{"query":"autumn"}'])).out, /Autumn/);
  secrets.push(...spotify.tokens());
  spotify.revoke();
  assert.match(
    (await user.run(["tools", "call", "spotify_search", '{"query":"autumn"}'])).out,
    /has expired or was revoked/,
  );
  assert.deepEqual(steps(user), [
    "sign-in started",
    "browser sent",
    "browser redirected",
    "tokens given",
    "renewal started",
    "renewal done",
    "renewal started",
    "renewal refused",
  ]);
  const log = readFileSync(join(user.agentHome, "logs/agent.log"), "utf8");
  assert.equal(secrets.length, 4);
  for (const secret of secrets) assert.ok(!log.includes(secret), "a token is in the log");
});

// req: models.oauth-trace
test("the log of an MCP server's sign-in also has the steps and no token", async () => {
  await using guarded = await startMcpOAuth();
  using user = new NewUser();
  user.write(
    "~/.hermes/config.yaml",
    `mcp_discovery_timeout: 60\nmcp_servers:\n  guarded:\n    url: ${guarded.url}\n    auth: { type: oauth }\nlogging: { level: DEBUG }\n`,
  );
  user.write("~/.hermes/.env", "HERMES_OAUTH_TRACE=on\n");
  assert.match(await signIn(user, ["mcp", "login", "guarded"]), /Signed in to "guarded"/);
  const saved = (): readonly string[] =>
    Object.values(
      JSON.parse(readFileSync(join(user.agentHome, "mcp-tokens/guarded.json"), "utf8")) as {
        readonly [name: string]: unknown;
      },
    ).filter((value): value is string => typeof value === "string" && /^[0-9a-f-]{36}$/.test(value));
  const secrets = [...saved()];
  guarded.expire();
  assert.match((await user.run(["mcp", "test", "guarded"])).out, /secret/);
  secrets.push(...saved());
  guarded.revoke();
  await user.run(["mcp", "test", "guarded"]);
  assert.deepEqual(steps(user), [
    "sign-in started",
    "authorization server found",
    "registered as a client",
    "browser sent",
    "browser redirected",
    "tokens given",
    "renewal started",
    "renewal done",
    "renewal started",
    "renewal failed",
    "sign-in deleted",
  ]);
  const log = readFileSync(join(user.agentHome, "logs/agent.log"), "utf8");
  assert.equal(secrets.length, 4);
  for (const secret of secrets) assert.ok(!log.includes(secret), "a token is in the log");
});
