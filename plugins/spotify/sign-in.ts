import { createHash, randomBytes } from "node:crypto";
import { oauthFailure, oauthStep, ToolFailure, UserError, type CliIo, type PluginContext } from "hermes-agent/plugin";
import { askForTokens, CLIENT_ID, keepTokens, type Granted } from "./tokens.ts";

export type SignInPorts = Pick<PluginContext, "browserReturn" | "env" | "fetch" | "log" | "secrets">;

const SCOPES = [
  "user-read-playback-state",
  "user-modify-playback-state",
  "user-read-currently-playing",
  "user-read-recently-played",
  "playlist-read-private",
  "playlist-read-collaborative",
  "playlist-modify-private",
  "playlist-modify-public",
  "user-library-read",
  "user-library-modify",
];
/** Must be one of the app's redirect URIs. */
const COMES_BACK_TO = "http://127.0.0.1:43827/spotify/callback";

/**
 * Signs in with the user's own app and PKCE, so there is no client secret.
 * @throws {UserError} if the user did not sign in, or Spotify refused.
 */
export async function signIn(
  { browserReturn, env, fetch, log, secrets }: SignInPorts,
  io: CliIo,
  timeoutMs: number,
): Promise<void> {
  const client = env(CLIENT_ID);
  if (client === undefined)
    throw new UserError(`${CLIENT_ID} is not set. Spotify requires a registered app.`, {
      hint: `Create an app at https://developer.spotify.com/dashboard with the redirect URI ${COMES_BACK_TO}, then: hermes config set HERMES_SPOTIFY_CLIENT_ID ID`,
      exitCode: 2,
    });
  const wanted = placeOf(env("HERMES_SPOTIFY_REDIRECT_URI") ?? COMES_BACK_TO);
  const [late, verifier, state] = [
    AbortSignal.timeout(timeoutMs),
    randomBytes(48).toString("base64url"),
    randomBytes(24).toString("base64url"),
  ];
  const step = (what: string, about = {}): void => oauthStep({ env, log }, what, { service: "spotify", ...about });
  let granted: Granted | "refused";
  step("sign-in started");
  try {
    using back = await browserReturn({ host: wanted.hostname, port: Number(wanted.port), path: wanted.pathname });
    const redirect = `http://${wanted.host.replace(/:\d+$/, "")}:${back.port}${wanted.pathname}`;
    const question = new URLSearchParams({
      client_id: client,
      response_type: "code",
      redirect_uri: redirect,
      scope: SCOPES.join(" "),
      state,
      code_challenge_method: "S256",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    });
    io.out(
      `Open this URL in a browser and sign in:\n\n  ${(env("HERMES_SPOTIFY_ACCOUNTS_BASE_URL") ?? "https://accounts.spotify.com").replace(/\/+$/, "")}/authorize?${question.toString()}\n\n`,
    );
    step("browser sent");
    const { code } = await back.came(state, io, AbortSignal.any([io.signal, late]));
    step("browser redirected");
    granted = await askForTokens(
      { grant_type: "authorization_code", code, redirect_uri: redirect, client_id: client, code_verifier: verifier },
      { env, fetch },
    );
  } catch (cause) {
    step("sign-in failed", { error: late.aborted ? "timeout" : oauthFailure(cause) });
    const why = late.aborted
      ? `no answer from the browser within ${timeoutMs / 1000} s`
      : isTaken(cause)
        ? `another program uses the port ${wanted.port}`
        : cause instanceof Error
          ? cause.message.replace(/\.$/, "")
          : String(cause);
    throw new UserError(`Signing in to Spotify failed: ${why}.`, {
      hint:
        cause instanceof ToolFailure && cause.hint !== undefined ? cause.hint : "Try again: hermes auth spotify login",
      cause,
    });
  }
  step(
    granted === "refused" ? "sign-in refused" : "tokens given",
    granted === "refused" ? {} : { renewable: granted.refresh !== undefined },
  );
  if (granted === "refused" || granted.refresh === undefined)
    throw new UserError("Signing in to Spotify failed: Spotify refused the authorization code.", {
      hint: "Try again: hermes auth spotify login",
    });
  await keepTokens({ access: granted.access, refresh: granted.refresh }, { secrets });
}

function placeOf(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (
    url === undefined ||
    url.protocol !== "http:" ||
    url.port === "" ||
    !["127.0.0.1", "localhost"].includes(url.hostname)
  ) {
    throw new UserError(
      `HERMES_SPOTIFY_REDIRECT_URI must be an address of this machine with a port, not "${address}".`,
      {
        hint: `Use one like ${COMES_BACK_TO}.`,
        exitCode: 2,
      },
    );
  }
  return url;
}

function isTaken(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
}
