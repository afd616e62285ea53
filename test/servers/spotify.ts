import { createHash, randomUUID } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: { readonly [name: string]: string };
  readonly body: unknown;
}

type Misdeed = (reply: ServerResponse) => void;

/**
 * Spotify at the wire: its sign-in with PKCE, and its Web API behind a token that may expire at any time. Misbehaves on
 * demand.
 */
export async function startSpotify() {
  const challenges = new Map<string, { readonly challenge: string; readonly redirect: string }>();
  const seen = { signIns: 0, refreshes: 0 };
  const received: Received[] = [];
  const misdeeds: Misdeed[] = [];
  let [token, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
  let nothingPlays = false;
  const http = createServer(async (request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin());
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const json = (status: number, value: unknown): void =>
      void reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (pathname === "/authorize") {
      const code = randomUUID();
      challenges.set(code, {
        challenge: searchParams.get("code_challenge") ?? "",
        redirect: searchParams.get("redirect_uri") ?? "",
      });
      return void reply
        .writeHead(302, {
          location: `${searchParams.get("redirect_uri")}?code=${code}&state=${searchParams.get("state")}`,
        })
        .end();
    }
    if (pathname === "/api/token") return grant(new URLSearchParams(text), json);
    if (request.headers.authorization !== `Bearer ${token}`)
      return json(401, { error: { status: 401, message: "The access token expired" } });
    received.push({
      method: request.method ?? "",
      path: pathname.replace(/^\/v1/, ""),
      query: Object.fromEntries(searchParams),
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    });
    const misdeed = misdeeds.shift();
    if (misdeed !== undefined) return misdeed(reply);
    if (request.method !== "GET")
      return pathname.endsWith("/playlists")
        ? json(201, { id: "made1", uri: "spotify:playlist:made1", images: [] })
        : void reply.writeHead(204).end();
    if (nothingPlays) return void reply.writeHead(204).end();
    json(200, {
      name: "Autumn",
      available_markets: ["DE", "FR"],
      album: { name: "Leaves", images: [{ url: "https://i.example/1" }] },
    });
  });

  function grant(form: URLSearchParams, json: (status: number, value: unknown) => void): void {
    const asked = challenges.get(form.get("code") ?? "");
    const proven =
      createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url") === asked?.challenge;
    const isCode =
      form.get("grant_type") === "authorization_code" && proven && form.get("redirect_uri") === asked?.redirect;
    const isRefresh = form.get("grant_type") === "refresh_token" && form.get("refresh_token") === refresh;
    if (form.get("client_id") !== "client-of-the-test" || (!isCode && !isRefresh))
      return json(400, { error: "invalid_grant" });
    seen[isCode ? "signIns" : "refreshes"] += 1;
    [token, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    json(200, { access_token: token, token_type: "Bearer", expires_in: 3600, refresh_token: refresh });
  }

  const origin = (): string => `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    variables: { HERMES_SPOTIFY_API_BASE_URL: `${origin()}/v1`, HERMES_SPOTIFY_ACCOUNTS_BASE_URL: origin() },
    seen: seen as Readonly<typeof seen>,
    received: received as readonly Received[],
    tokens: () => [token, refresh],
    /** The `.env` entries of a user who is signed in. */
    signedIn: () => ({
      HERMES_SPOTIFY_CLIENT_ID: "client-of-the-test",
      SPOTIFY_ACCESS_TOKEN: token,
      SPOTIFY_REFRESH_TOKEN: refresh,
    }),
    /** Answers for the next requests that carry a token. */
    misbehave: (...next: readonly Misdeed[]) => void misdeeds.push(...next),
    silence: () => void (nothingPlays = true),
    /** Invalidates the current token. */
    expire: () => void (token = `access-${randomUUID()}`),
    /** The refresh token is invalid too. */
    revoke: () => void ([token, refresh] = [randomUUID(), randomUUID()]),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
