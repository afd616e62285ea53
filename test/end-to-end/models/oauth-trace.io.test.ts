import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startMcpOAuth } from "../../servers/mcp-oauth.ts";
import { startSpotify } from "../../servers/spotify.ts";
import { NewPerson } from "../support/test-user.ts";

/** Signs in by the address that the command shows, as a browser would. @returns what was shown. */
async function signIn(person: NewPerson, words: readonly string[]): Promise<string> {
  const login = person.start(words);
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
function steps(person: NewPerson): readonly string[] {
  const lines = readFileSync(join(person.agentHome, "logs/agent.log"), "utf8").split("\n");
  return lines.flatMap((line) => /oauth_trace ([a-z -]+)/.exec(line)?.[1]?.trim() ?? []);
}

// req: models.oauth-trace
test("with HERMES_OAUTH_TRACE the log has the steps of signing in to Spotify and of renewing, and no token; without it none of them", async () => {
  await using spotify = await startSpotify();
  using person = new NewPerson();
  person.write(
    "~/.hermes/config.yaml",
    "plugins:\n  enabled: [spotify]\nsecurity:\n  allow_private_urls: true\nlogging: { level: DEBUG }\n",
  );
  const variables = {
    ...spotify.variables,
    HERMES_SPOTIFY_CLIENT_ID: "client-of-the-test",
    HERMES_SPOTIFY_REDIRECT_URI: "http://127.0.0.1:0/back",
  };
  const write = (more: { readonly [name: string]: string }): string =>
    person.write(
      "~/.hermes/.env",
      Object.entries({ ...variables, ...more })
        .map(([name, value]) => `${name}=${value}\n`)
        .join(""),
    );
  write({});
  assert.match(await signIn(person, ["auth", "spotify", "login"]), /You are signed in to Spotify/);
  assert.deepEqual(steps(person), []);

  write({ HERMES_OAUTH_TRACE: "1" });
  assert.match(await signIn(person, ["auth", "spotify", "login"]), /You are signed in to Spotify/);
  const secrets = [...spotify.tokens()];
  spotify.expire();
  assert.match((await person.run(["tools", "call", "spotify_search", '{"query":"autumn"}'])).out, /Autumn/);
  secrets.push(...spotify.tokens());
  spotify.revoke();
  assert.match(
    (await person.run(["tools", "call", "spotify_search", '{"query":"autumn"}'])).out,
    /has run out or was taken back/,
  );
  assert.deepEqual(steps(person), [
    "sign-in started",
    "browser sent",
    "browser came back",
    "tokens given",
    "renewal started",
    "renewal done",
    "renewal started",
    "renewal refused",
  ]);
  const log = readFileSync(join(person.agentHome, "logs/agent.log"), "utf8");
  assert.equal(secrets.length, 4);
  for (const secret of secrets) assert.ok(!log.includes(secret), "a token is in the log");
});

// req: models.oauth-trace
test("so it is with the sign-in to an MCP server", async () => {
  await using guarded = await startMcpOAuth();
  using person = new NewPerson();
  person.write(
    "~/.hermes/config.yaml",
    `mcp_discovery_timeout: 60\nmcp_servers:\n  guarded:\n    url: ${guarded.url}\n    auth: { type: oauth }\nlogging: { level: DEBUG }\n`,
  );
  person.write("~/.hermes/.env", "HERMES_OAUTH_TRACE=on\n");
  assert.match(await signIn(person, ["mcp", "login", "guarded"]), /Signed in to "guarded"/);
  const kept = (): readonly string[] =>
    Object.values(
      JSON.parse(readFileSync(join(person.agentHome, "mcp-tokens/guarded.json"), "utf8")) as {
        readonly [name: string]: unknown;
      },
    ).filter((value): value is string => typeof value === "string" && /^[0-9a-f-]{36}$/.test(value));
  const secrets = [...kept()];
  guarded.expire();
  assert.match((await person.run(["mcp", "test", "guarded"])).out, /secret/);
  secrets.push(...kept());
  guarded.revoke();
  await person.run(["mcp", "test", "guarded"]);
  assert.deepEqual(steps(person), [
    "sign-in started",
    "authorization server found",
    "registered as a client",
    "browser sent",
    "browser came back",
    "tokens given",
    "renewal started",
    "renewal done",
    "renewal started",
    "renewal failed",
    "sign-in forgotten",
  ]);
  const log = readFileSync(join(person.agentHome, "logs/agent.log"), "utf8");
  assert.equal(secrets.length, 4);
  for (const secret of secrets) assert.ok(!log.includes(secret), "a token is in the log");
});
