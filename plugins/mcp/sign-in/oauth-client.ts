import { randomBytes } from "node:crypto";
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from "@modelcontextprotocol/client";
import type { JsonObject } from "hermes-agent/plugin";
import type { OAuthSettings } from "../server/server-entry.ts";
import type { TokenFiles } from "./token-files.ts";
import { definedFields } from "hermes-agent/plugin";

/** Logs a step when sign-ins are traced. */
export type OAuthStep = (what: string, about?: JsonObject) => void;

/** Hermes as a client of an authorization server: its name, and where its registration and tokens are stored. */
export class OAuthClient implements OAuthClientProvider {
  readonly #settings: OAuthSettings;
  readonly #files: TokenFiles;
  readonly #show: (url: URL) => void;
  readonly #step: OAuthStep;
  readonly redirectUrl: string;
  /** State of this sign-in; a redirect with another state is rejected. */
  readonly expectedState = randomBytes(24).toString("base64url");
  #verifier = "";

  constructor(
    settings: OAuthSettings,
    files: TokenFiles,
    redirectUrl: string,
    show: (url: URL) => void,
    step: OAuthStep,
  ) {
    this.#settings = settings;
    this.#files = files;
    this.#show = show;
    this.#step = step;
    this.redirectUrl = redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { clientName, clientSecret, scope } = this.#settings;
    return {
      client_name: clientName,
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: clientSecret === undefined ? "none" : "client_secret_post",
      scope,
    };
  }

  state(): string {
    return this.expectedState;
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return clientOf(this.#settings, this.#files);
  }

  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.#step("registered as a client");
    if (this.#settings.clientId === undefined) this.#files.write("client", information);
  }

  tokens(): OAuthTokens | undefined {
    return this.#files.read("tokens");
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#files.write("tokens", tokens);
    this.#step("tokens given", tokensGiven(tokens));
  }

  redirectToAuthorization(url: URL): void {
    this.#step("browser sent", { at: url.host });
    this.#show(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#step("authorization server found", { at: new URL(state.authorizationServerUrl).host });
    this.#files.write("meta", state);
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#files.read("meta");
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    this.#step("forgotten", { what: scope });
    if (scope === "all" || scope === "tokens") this.#files.remove("tokens");
    if (scope === "all" || scope === "client") this.#files.remove("client");
    if (scope === "all" || scope === "discovery") this.#files.remove("meta");
  }
}

/** The configured client, or the one that Hermes registered. */
export function clientOf(
  { clientId, clientSecret }: OAuthSettings,
  files: TokenFiles,
): OAuthClientInformationMixed | undefined {
  if (clientId === undefined) return files.read("client");
  return { client_id: clientId, client_secret: clientSecret };
}

/** Token metadata for traces, without the tokens. */
export function tokensGiven(tokens: OAuthTokens | undefined): JsonObject {
  return definedFields({
    renewable: tokens?.refresh_token !== undefined,
    expires_in: typeof tokens?.expires_in === "number" ? tokens.expires_in : undefined,
  });
}
