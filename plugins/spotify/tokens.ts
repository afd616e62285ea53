import { definedFields, oauthFailure, oauthStep, objectOf, ToolFailure, type PluginContext } from "hermes-agent/plugin";

export const CLIENT_ID = "HERMES_SPOTIFY_CLIENT_ID";
export const ACCESS = "SPOTIFY_ACCESS_TOKEN";
export const REFRESH = "SPOTIFY_REFRESH_TOKEN";

const SIGNED_OUT = "The Spotify sign-in has expired or was revoked.";
const SIGN_IN = "Ask the user to run `hermes auth spotify login`.";

export type TokenPorts = Pick<PluginContext, "env" | "fetch" | "log" | "secrets">;

/** The tokens of the user's account, stored in `.env` and renewed when Spotify refuses one. */
export class Tokens {
  readonly #ports: TokenPorts;
  #renewing: Promise<string> | undefined;

  constructor(ports: TokenPorts) {
    this.#ports = ports;
  }

  now(): string | undefined {
    return this.#ports.env(ACCESS);
  }

  /** A token other than `refused`. Concurrent calls share one renewal. */
  renewed(refused: string | undefined): Promise<string> {
    return (this.#renewing ??= this.#renew(refused).finally(() => (this.#renewing = undefined)));
  }

  async #renew(refused: string | undefined): Promise<string> {
    const { env, secrets } = this.#ports;
    const step = (what: string, about = {}): void => oauthStep(this.#ports, what, { service: "spotify", ...about });
    const byOthers = async (): Promise<string | undefined> => {
      const token = await secrets.read(ACCESS);
      return token === refused ? undefined : token;
    };
    // Another process may have renewed it.
    const known = await byOthers();
    if (known !== undefined) {
      step("renewed by another process");
      return known;
    }
    const [refresh, client] = [await secrets.read(REFRESH), env(CLIENT_ID)];
    if (refresh === undefined || client === undefined) throw signedOut();
    step("renewal started");
    const granted = await askForTokens(
      { grant_type: "refresh_token", refresh_token: refresh, client_id: client },
      this.#ports,
    ).catch((cause: unknown) => {
      step("renewal failed", { error: oauthFailure(cause) });
      throw cause;
    });
    if (granted === "refused") {
      const meanwhile = await byOthers();
      step(meanwhile === undefined ? "renewal refused" : "renewed by another process");
      if (meanwhile !== undefined) return meanwhile;
      throw signedOut();
    }
    await keepTokens({ refresh, ...granted }, this.#ports);
    step("renewal done", { renewable: true });
    return granted.access;
  }
}

export function signedOut(): ToolFailure {
  return new ToolFailure("unavailable", SIGNED_OUT, { hint: SIGN_IN });
}

/** Stores the refresh token first, because it alone can renew the access token. */
export function keepTokens(
  { access, refresh }: { readonly access: string; readonly refresh: string },
  { secrets }: Pick<TokenPorts, "secrets">,
): Promise<void> {
  return secrets.write({ [REFRESH]: refresh, [ACCESS]: access });
}

export interface Granted {
  readonly access: string;
  /** Absent: the previous refresh token stays valid. */
  readonly refresh?: string;
}

/** @throws {ToolFailure} if the service is not reachable, or answers with neither tokens nor a refusal. */
export async function askForTokens(
  form: { readonly [name: string]: string },
  { env, fetch }: Pick<TokenPorts, "env" | "fetch">,
): Promise<Granted | "refused"> {
  const base = (env("HERMES_SPOTIFY_ACCOUNTS_BASE_URL") ?? "https://accounts.spotify.com").replace(/\/+$/, "");
  const reply = await fetch(`${base}/api/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams(form).toString(),
    maxRedirects: 0,
    configured: "HERMES_SPOTIFY_ACCOUNTS_BASE_URL",
  });
  if (reply.status === 400 || reply.status === 401) return "refused";
  if (reply.status !== 200) throw new ToolFailure("unreachable", `Spotify's sign-in service answered ${reply.status}.`);
  const { access_token: access, refresh_token: refresh } = objectOf(await reply.json());
  if (typeof access !== "string" || access === "")
    throw new ToolFailure("unreachable", "Spotify's sign-in service returned no token.");
  return definedFields({ access, refresh: typeof refresh === "string" && refresh !== "" ? refresh : undefined });
}
