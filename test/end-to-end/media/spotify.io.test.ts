import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import { startSpotify } from "../../servers/spotify.ts";
import { NewUser } from "../support/test-user.ts";
import { openToolHome } from "../support/tool-home.ts";

const ON = "plugins:\n  enabled: [spotify]\nsecurity:\n  allow_private_urls: true\n";
const SEVEN = [
  "spotify_albums",
  "spotify_devices",
  "spotify_library",
  "spotify_playback",
  "spotify_playlists",
  "spotify_queue",
  "spotify_search",
];
const ID = "4uLU6hMCjMI75M1A2tKUQC";

const refusal =
  (status: number, error: JsonObject, headers: { readonly [name: string]: string } = {}) =>
  (reply: ServerResponse): void =>
    void reply
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify({ error: { status, ...error } }));

// req: tool-spotify.seven
test("the toolset spotify has seven tools, and each contacts the service", async () => {
  await using spotify = await startSpotify();
  using user = new NewUser();
  await using home = await openToolHome(user, { ...spotify.variables, ...spotify.signedIn() }, ON);
  assert.deepEqual((await home.offered("spotify")).toSorted(), SEVEN);
  const calls: readonly (readonly [string, JsonObject, JsonObject])[] = [
    [
      "spotify_playback",
      { action: "play", uris: [ID, `https://open.spotify.com/intl-de/track/${ID}?si=1`], offset: { position: 0 } },
      {
        method: "PUT",
        path: "/me/player/play",
        query: {},
        body: { uris: [`spotify:track:${ID}`], offset: { position: 0 } },
      },
    ],
    [
      "spotify_devices",
      { action: "transfer", device_id: "kitchen" },
      { method: "PUT", path: "/me/player", query: {}, body: { device_ids: ["kitchen"], play: false } },
    ],
    [
      "spotify_queue",
      { action: "add", uri: `spotify:episode:${ID}` },
      { method: "POST", path: "/me/player/queue", query: { uri: `spotify:episode:${ID}` } },
    ],
    [
      "spotify_search",
      { query: "autumn & leaves", types: ["track", "album"], limit: 99 },
      {
        method: "GET",
        path: "/search",
        query: { q: "autumn & leaves", type: "track,album", limit: "50", offset: "0" },
      },
    ],
    [
      "spotify_playlists",
      { action: "create", name: "Walk" },
      { method: "POST", path: "/me/playlists", query: {}, body: { public: false, name: "Walk" } },
    ],
    [
      "spotify_albums",
      { action: "tracks", album_id: `spotify:album:${ID}` },
      { method: "GET", path: `/albums/${ID}/tracks`, query: { limit: "20", offset: "0" } },
    ],
    [
      "spotify_library",
      { kind: "tracks", action: "save", ids: [ID] },
      { method: "PUT", path: "/me/library", query: { uris: `spotify:track:${ID}` } },
    ],
  ];
  const answers: JsonObject[] = [];
  for (const [tool, args] of calls) answers.push(await home.call(tool, args));
  assert.deepEqual(
    spotify.received.map((one) => JSON.parse(JSON.stringify(one)) as JsonObject),
    calls.map(([, , wanted]) => wanted),
  );
  const looked = { name: "Autumn", album: { name: "Leaves" } };
  assert.deepEqual(answers, [
    { success: true, action: "play" },
    { success: true, action: "transfer" },
    { success: true, action: "add" },
    looked,
    { success: true, action: "create", id: "made1", uri: "spotify:playlist:made1" },
    looked,
    { success: true, action: "save" },
  ]);
  const effects = home.app.tools.get("spotify_playback");
  assert.deepEqual([effects?.effectByCall, effects?.toolset], [true, "spotify"]);
});

test("the plugin is off by default; when enabled, its tools require a sign-in and say so", async () => {
  using user = new NewUser();
  {
    await using home = await openToolHome(user, {}, "");
    assert.deepEqual([(await home.offered("spotify")).length, home.app.tools.get("spotify_search")], [0, undefined]);
    const listing = (await home.app.plugins.list()).find(({ key }) => key === "spotify");
    assert.deepEqual([listing?.source, listing?.state], ["bundled", "not enabled"]);
  }
  assert.match(
    (await user.run(["auth", "spotify"])).err,
    /No enabled plugin signs in to "spotify"[^]*hermes plugins enable spotify/,
  );
  const enabled = await user.run(["plugins", "enable", "spotify"]);
  assert.equal(enabled.status, 0, enabled.err);
  await using home = await openToolHome(user, {}, readFileSync(join(user.agentHome, "config.yaml"), "utf8"));
  assert.deepEqual(await home.offered("spotify"), []);
  assert.equal(await home.why("spotify_search"), "Not signed in to Spotify. Run: hermes auth spotify login");
});

test("signs in with the browser and PKCE; the tokens are private in .env, never shown, and deleted by logout", async () => {
  await using spotify = await startSpotify();
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", ON);
  user.write(
    "~/.hermes/.env",
    Object.entries({ ...spotify.variables, HERMES_SPOTIFY_REDIRECT_URI: "http://127.0.0.1:0/back" })
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  assert.match((await user.run(["auth"])).out, /spotify {2}Spotify: sign in/);
  assert.match((await user.run(["auth", "spotify", "login"])).err, /HERMES_SPOTIFY_CLIENT_ID is not set/);
  assert.deepEqual((await user.run(["auth", "spotify", "status"])).status, 1);

  assert.equal((await user.run(["config", "set", "HERMES_SPOTIFY_CLIENT_ID", "client-of-the-test"])).status, 0);
  const login = user.start(["auth", "spotify", "login"]);
  let shown = "";
  for await (const piece of login.stdout!) {
    shown += String(piece);
    const address = /http:\/\/127\.0\.0\.1:\d+\/authorize\S+/.exec(shown)?.[0];
    if (address === undefined || spotify.seen.signIns > 0) continue;
    // The answer of another sign-in is not accepted.
    const back = new URL(new URL(address).searchParams.get("redirect_uri")!);
    assert.equal((await fetch(`${back.href}?code=stolen&state=other`)).status, 400);
    assert.equal((await (await fetch(address)).text()).trim(), "You are signed in. You can close this page.");
  }
  assert.match(shown, /You are signed in to Spotify/);
  assert.equal(spotify.seen.signIns, 1);
  const saved = readFileSync(join(user.agentHome, ".env"), "utf8");
  for (const secret of spotify.tokens()) {
    assert.ok(saved.includes(secret));
    assert.ok(!shown.includes(secret));
  }
  assert.equal(statSync(join(user.agentHome, ".env")).mode & 0o777, 0o600);
  const status = await user.run(["auth", "spotify", "status"]);
  assert.deepEqual([status.status, status.out], [0, "You are signed in to Spotify.\n"]);
  const called = await user.run(["tools", "call", "spotify_search", '{"query":"autumn"}']);
  assert.match(called.out, /Autumn/, called.err);

  assert.match((await user.run(["auth", "spotify", "logout"])).out, /signed out/);
  assert.doesNotMatch(readFileSync(join(user.agentHome, ".env"), "utf8"), /SPOTIFY_(?:ACCESS|REFRESH)_TOKEN/);
});

test("a sign-in without an answer times out, and a refused one says so", async () => {
  await using spotify = await startSpotify();
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", ON);
  user.write(
    "~/.hermes/.env",
    Object.entries({
      ...spotify.variables,
      HERMES_SPOTIFY_CLIENT_ID: "c",
      HERMES_SPOTIFY_REDIRECT_URI: "http://127.0.0.1:0/back",
    })
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  const late = await user.run(["auth", "spotify", "login", "--timeout", "0.5"]);
  assert.deepEqual(
    [late.status === 0, /no answer from the browser within 0\.5 s/.test(late.err)],
    [false, true],
    late.err,
  );
  const login = user.start(["auth", "spotify", "login"]);
  let message = "";
  login.stderr!.on("data", (piece) => (message += String(piece)));
  let shown = "";
  for await (const piece of login.stdout!) {
    shown += String(piece);
    const back = /redirect_uri=([^&\s]+)/.exec(shown)?.[1];
    const state = /state=([^&\s]+)/.exec(shown)?.[1];
    if (back !== undefined && state !== undefined)
      await fetch(`${decodeURIComponent(back)}?error=access_denied&state=${state}`);
  }
  assert.match(message, /Signing in to Spotify failed: The server refused: access_denied/);
});

test("concurrent calls renew an expired token once; reports a revoked sign-in", async () => {
  await using spotify = await startSpotify();
  using user = new NewUser();
  await using home = await openToolHome(user, { ...spotify.variables, ...spotify.signedIn() }, ON);
  spotify.expire();
  const both = await Promise.all([
    home.call("spotify_search", { query: "one" }),
    home.call("spotify_albums", { action: "get", id: ID }),
  ]);
  assert.deepEqual([both.map(({ name }) => name), spotify.seen.refreshes], [["Autumn", "Autumn"], 1]);
  const saved = readFileSync(join(user.agentHome, ".env"), "utf8");
  for (const secret of spotify.tokens()) assert.ok(saved.includes(secret));

  // Another process refreshed the token: the tool uses the saved one instead of refreshing again.
  spotify.expire();
  user.write(
    "~/.hermes/.env",
    Object.entries({ ...spotify.variables, ...spotify.signedIn() })
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  assert.deepEqual(
    [(await home.call("spotify_search", { query: "two" }))["name"], spotify.seen.refreshes],
    ["Autumn", 1],
  );

  spotify.revoke();
  const message = await home.call("spotify_search", { query: "three" });
  assert.deepEqual(message, {
    error: "The Spotify sign-in has expired or was revoked.",
    code: "unavailable",
    hint: "Ask the user to run `hermes auth spotify login`.",
  });
});

test("reports refusals of Spotify with advice", async () => {
  await using spotify = await startSpotify();
  using user = new NewUser();
  await using home = await openToolHome(user, { ...spotify.variables, ...spotify.signedIn() }, ON);
  const play = (): Promise<JsonObject> => home.call("spotify_playback", { action: "play" });
  const cases: readonly (readonly [ReturnType<typeof refusal>, RegExp, number])[] = [
    [
      refusal(403, { message: "Player command failed: Premium required", reason: "PREMIUM_REQUIRED" }),
      /only for Premium accounts/,
      403,
    ],
    [
      refusal(404, { message: "Player command failed: No active device found", reason: "NO_ACTIVE_DEVICE" }),
      /No Spotify device is active/,
      404,
    ],
    [refusal(403, { message: "Insufficient client scope" }), /does not cover this/, 403],
    [refusal(403, { message: "Restriction violated" }), /refused the request: Restriction violated/, 403],
    [refusal(429, { message: "API rate limit exceeded" }, { "retry-after": "3600" }), /Retry in 3600 s/, 429],
    [refusal(502, { message: "Bad gateway." }), /answered 502: Bad gateway/, 502],
  ];
  for (const [misdeed, words, status] of cases) {
    spotify.misbehave(misdeed);
    const message = await play();
    assert.match(String(message["error"]), words);
    assert.equal(message["status_code"], status);
  }
  // A rate-limited request had no effect, so the tool retries it once.
  const before = spotify.received.length;
  spotify.misbehave(refusal(429, {}, { "retry-after": "0" }));
  assert.deepEqual([await play(), spotify.received.length - before], [{ success: true, action: "play" }, 2]);
  spotify.misbehave(refusal(429, {}, { "retry-after": "0" }), refusal(429, {}, { "retry-after": "0" }));
  assert.match(String((await play())["error"]), /Too many requests to Spotify/);
  // The service may confirm a command with text (200), or accept it for later (202).
  spotify.misbehave(
    (reply) => void reply.writeHead(200, { "content-type": "text/plain" }).end("AAAB"),
    (reply) => void reply.writeHead(202).end(),
  );
  assert.deepEqual(
    [await play(), await play()],
    [
      { success: true, action: "play" },
      { success: true, action: "play" },
    ],
  );
  spotify.misbehave((reply) => void reply.end("<html>"));
  assert.match(String((await home.call("spotify_search", { query: "x" }))["error"]), /sent invalid JSON/);

  spotify.silence();
  assert.deepEqual(await home.call("spotify_playback", { action: "get_state" }), {
    success: true,
    action: "get_state",
    has_active_device: false,
    message: "No Spotify device is active. The user can open Spotify on one, or spotify_devices can transfer playback.",
  });
  assert.equal((await home.call("spotify_playback", { action: "get_currently_playing" }))["is_playing"], false);
});

test("refuses invalid input before sending anything", async () => {
  await using spotify = await startSpotify();
  using user = new NewUser();
  await using home = await openToolHome(user, { ...spotify.variables, ...spotify.signedIn() }, ON);
  const wrong: readonly (readonly [string, JsonObject])[] = [
    ["spotify_playback", { action: "seek" }],
    ["spotify_playback", { action: "set_volume" }],
    ["spotify_playback", { action: "set_repeat", state: "always" }],
    ["spotify_playback", { action: "play", uris: ["spotify:track:../../me"] }],
    ["spotify_playback", { action: "recently_played", after: 1, before: 2 }],
    ["spotify_playback", { action: "dance" }],
    ["spotify_devices", { action: "transfer" }],
    ["spotify_queue", { action: "add" }],
    ["spotify_search", { query: " " }],
    ["spotify_search", { query: "x", types: ["person"] }],
    ["spotify_playlists", { action: "create" }],
    ["spotify_playlists", { action: "get", playlist_id: `spotify:album:${ID}` }],
    ["spotify_playlists", { action: "add_items", playlist_id: ID, uris: [] }],
    ["spotify_playlists", { action: "update_details", playlist_id: ID }],
    ["spotify_albums", { action: "get", album_id: "../me" }],
    ["spotify_library", { kind: "tracks", action: "remove", ids: [`spotify:album:${ID}`] }],
    ["spotify_library", { kind: "songs", action: "list" }],
  ];
  for (const [tool, args] of wrong)
    assert.equal((await home.call(tool, args))["code"], "bad_arguments", `${tool} ${JSON.stringify(args)}`);
  assert.deepEqual(spotify.received, []);
});
