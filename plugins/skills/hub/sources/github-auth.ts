import { createPrivateKey, sign, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { isObject, UserError } from "hermes-agent/plugin";
import { askRegistry, registryOf, strange, textAt, toJson, type Registry } from "./registry.ts";
import type { SourcePorts } from "./skill-source.ts";

/** The identity for GitHub requests. The token is sent only to the API, in a header. */
export interface GithubAuth {
  /** The token's origin, for messages; never its value. */
  readonly by: string;
  token(): Promise<string>;
}

const OFFICIAL = "https://api.github.com";

export function githubApi(settings: SourcePorts["settings"]): Registry {
  return registryOf("github", "GitHub", OFFICIAL, settings);
}

/**
 * A personal access token, otherwise a GitHub App, otherwise anonymous. The user's own server gets only the token
 * that the settings give for it.
 * @throws {UserError} for an incompletely configured App.
 */
export function githubAuth(ports: SourcePorts): GithubAuth | undefined {
  const api = githubApi(ports.settings);
  if (api.setting !== undefined) {
    const registries = ports.settings["registries"];
    const token = textAt(isObject(registries) ? registries["github"] : undefined, "token");
    return token === "" ? undefined : { by: "skills.registries.github.token", token: async () => token };
  }
  for (const name of ["GITHUB_TOKEN", "GH_TOKEN"]) {
    const token = ports.env(name) ?? "";
    if (token !== "") return { by: name, token: async () => token };
  }
  return githubApp(api, ports);
}

const APP = ["GITHUB_APP_ID", "GITHUB_APP_PRIVATE_KEY_PATH", "GITHUB_APP_INSTALLATION_ID"] as const;

/** An App signs a note that says who it is, and is given a token of an hour for it. */
function githubApp(api: Registry, ports: SourcePorts): GithubAuth | undefined {
  const values = APP.map((name) => ports.env(name) ?? "");
  const [id = "", keyPath = "", installation = ""] = values;
  if (values.every((value) => value === "")) return undefined;
  const missing = APP.filter((_, at) => values[at] === "");
  if (missing.length > 0)
    throw new UserError(
      `The GitHub App is not fully configured: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set.`,
      { exitCode: 78 },
    );
  if (!/^\d+$/.test(installation)) throw new UserError("GITHUB_APP_INSTALLATION_ID is not a number.", { exitCode: 78 });
  let known: { readonly token: string; readonly until: number } | undefined;
  return {
    by: "the GitHub App of GITHUB_APP_ID",
    async token() {
      if (known !== undefined && known.until > Date.now() + 60_000) return known.token;
      const answer = toJson(
        await askRegistry(ports.fetch, api, `/app/installations/${installation}/access_tokens`, {
          method: "POST",
          headers: { authorization: `Bearer ${note(id, keyOf(keyPath))}`, accept: "application/vnd.github+json" },
          signal: ports.signal,
          missing: "This GitHub App has no installation with that number (GITHUB_APP_INSTALLATION_ID).",
          refused:
            "GitHub does not accept this App: GITHUB_APP_ID and the key of GITHUB_APP_PRIVATE_KEY_PATH do not belong together, or this machine's clock is wrong.",
        }),
        api,
      );
      const token = textAt(answer, "token");
      if (token === "") throw strange(api.name);
      const until = Date.parse(textAt(answer, "expires_at"));
      known = { token, until: Number.isNaN(until) ? Date.now() : until };
      return token;
    },
  };
}

function keyOf(path: string): KeyObject {
  try {
    return createPrivateKey(readFileSync(path));
  } catch (cause) {
    // The parser's message may contain parts of the key.
    throw new UserError("GITHUB_APP_PRIVATE_KEY_PATH does not name a valid private key.", {
      hint: "Use the .pem file that GitHub created for the App.",
      exitCode: 78,
      cause: (cause as NodeJS.ErrnoException).code,
    });
  }
}

/** A JSON Web Token, good for nine minutes; clocks may differ by one. */
function note(id: string, key: KeyObject): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: now - 60, exp: now + 540, iss: id })}`;
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}
