import { isForDeclarers } from "../../host/environment/secrets.ts";
import type { FoundPlugin } from "../../host/plugins/discovery/discovery.ts";
import type { HostPorts } from "./host-ports.ts";

/**
 * The user's variables without any secret, including URLs with a password; each plugin gets those that it declares.
 * `withheld` are the names of the others, so that a read can be reported.
 */
export function variablesFor({ environment, home }: HostPorts): {
  readonly env: { readonly [name: string]: string };
  readonly withheld: readonly string[];
} {
  const env: { [name: string]: string } = {};
  const withheld: string[] = [];
  for (const name of environment.names()) {
    const value = environment.get(name);
    if (value === undefined || NOT_PASSED.test(name)) continue;
    if (isForDeclarers(name, value)) withheld.push(name);
    else env[name] = value;
  }
  return { env: { ...env, HERMES_HOME: home.path, HERMES_PROFILE: home.profile }, withheld };
}

/** The declared variables that are set. */
export function declaredEnv(
  { manifest }: FoundPlugin,
  environment: Pick<HostPorts["environment"], "get">,
): { readonly [name: string]: string } {
  const named = [...manifest.requires_env, ...manifest.optional_env].map(
    ({ name }) => [name, environment.get(name)] as const,
  );
  return Object.fromEntries(named.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

/** Variables that would change how the bundled runtimes start. */
const NOT_PASSED = /^(NODE_OPTIONS|NODE_PATH|PYTHONSTARTUP|PYTHONINSPECT|PYTHONHOME)$/;
