import { definedFields, oauthFailure, oauthStep, objectOf, ToolFailure, type PluginContext } from "hermes-agent/plugin";

export const CLIENT_ID = "HERMES_SPOTIFY_CLIENT_ID";
export const ACCESS = "SPOTIFY_ACCESS_TOKEN";
export const REFRESH = "SPOTIFY_REFRESH_TOKEN";

const SIGNED_OUT = "The sign-in to Spotify has run out or was taken back.";
const SIGN_IN = "The person runs `hermes auth spotify login`.";

export type TokenPorts = Pick<PluginContext, "env" | "fetch" | "log" | "secrets">;

/** The tokens of the person's account, kept in `.env` and renewed where Spotify refuses one. */
export class Tokens {
  readonly #ports: TokenPorts;
  #renewing: Promise<string> | undefined;

  constructor(ports: TokenPorts) {
    this.#ports = ports;
  }

  now(): string | undefined {
    return this.#ports.env(ACCESS);
  }

  /** Another than `refused`. Calls that are refused at once make one new token. */
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
    // Another process may have made it fresh meanwhile.
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

/** The one that renews first: with it alone the other can be had again. */
export function keepTokens(
  { access, refresh }: { readonly access: string; readonly refresh: string },
  { secrets }: Pick<TokenPorts, "secrets">,
): Promise<void> {
  return secrets.write({ [REFRESH]: refresh, [ACCESS]: access });
}

export interface Granted {
  readonly access: string;
  /** Absent: the one before goes on. */
  readonly refresh?: string;
}

/** @throws {ToolFailure} when the service cannot be reached, or answers with something else than tokens or a refusal. */
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
  });
  if (reply.status === 400 || reply.status === 401) return "refused";
  if (reply.status !== 200) throw new ToolFailure("unreachable", `Spotify's sign-in answered ${reply.status}.`);
  const { access_token: access, refresh_token: refresh } = objectOf(await reply.json());
  if (typeof access !== "string" || access === "")
    throw new ToolFailure("unreachable", "Spotify's sign-in gave no token.");
  return definedFields({ access, refresh: typeof refresh === "string" && refresh !== "" ? refresh : undefined });
}
