import { ToolFailure } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { SecretArgument } from "../../contract/tools/tool.ts";
import { ruleFor } from "../../safety/urls/blocklist.ts";

/** A value that this call may send, and where. */
export interface GrantedSecret {
  readonly value: string;
  readonly hosts: readonly string[];
}

export interface HandlePorts {
  /** `security.secret_handles`: by name, the tools and hosts that the user allows to receive it. */
  allowed(name: string): { readonly tools?: readonly string[]; readonly hosts?: readonly string[] } | undefined;
  secret(name: string): string | undefined;
  /** Masks the value in what comes back. */
  readonly masks: boolean;
}

const HANDLE = /secret:\/\/([A-Za-z_][A-Za-z0-9_]*)/g;

/**
 * Replaces `secret://NAME` with values, only in the arguments that the tool declares as sinks. This happens after the
 * last check and the last fact: approvals, hooks, facts and the model see the handle. A refused call has no value
 * filled in.
 * @throws {ToolFailure} `blocked` if the user did not allow this tool, or this host, to receive the secret.
 */
export function fillSecrets<Input>(
  tool: string,
  sinks: readonly SecretArgument[] | undefined,
  input: Input,
  ports: HandlePorts,
): { readonly input: Input; readonly granted: readonly GrantedSecret[] } {
  if (sinks === undefined || sinks.length === 0 || typeof input !== "object" || input === null)
    return { input, granted: [] };
  const granted: GrantedSecret[] = [];
  let filled: { [key: string]: Json | undefined } | undefined;
  for (const sink of sinks) {
    const given = (input as unknown as JsonObject)[sink.argument];
    if (given === undefined || !mentions(given)) continue;
    const place = placeOf(sink, input as unknown as JsonObject);
    const value = replace(given, (name) => {
      const secret = valueOf(name, tool, place, ports);
      granted.push({ value: secret, hosts: place === undefined ? [] : [place.hostname] });
      return secret;
    });
    (filled ??= { ...(input as unknown as JsonObject) })[sink.argument] = value;
  }
  return { input: (filled ?? input) as Input, granted };
}

function mentions(value: Json): boolean {
  if (typeof value === "string") return value.includes("secret://");
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).some((item) => item !== undefined && mentions(item as Json))
  );
}

function replace(value: Json, fill: (name: string) => string): Json {
  if (typeof value === "string") return value.replace(HANDLE, (_, name: string) => fill(name));
  if (Array.isArray(value)) return value.map((item: Json) => replace(item, fill));
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replace(item as Json, fill)]))
    : value;
}

function placeOf({ host }: SecretArgument, input: JsonObject): URL | undefined {
  if (host === undefined) return undefined;
  const url = input[host];
  if (typeof url === "string" && URL.canParse(url)) return new URL(url);
  throw new ToolFailure("bad_arguments", `A secret can only be sent to a URL, and the argument "${host}" is not one.`);
}

function valueOf(name: string, tool: string, place: URL | undefined, ports: HandlePorts): string {
  const rule = ports.allowed(name);
  const hint = `The user allows it in config.yaml: security.secret_handles.${name}, with tools and hosts.`;
  if (rule === undefined)
    throw new ToolFailure("blocked", `secret://${name} does not exist, or you may not use it.`, { hint });
  if (rule.tools !== undefined && !rule.tools.includes(tool))
    throw new ToolFailure("blocked", `secret://${name} is not for the tool "${tool}".`, { hint });
  if (place === undefined && rule.tools === undefined)
    throw new ToolFailure(
      "blocked",
      `secret://${name} may be sent only to allowed hosts, and "${tool}" names no host.`,
      { hint },
    );
  if (place !== undefined) {
    if (place.protocol !== "https:") throw new ToolFailure("blocked", `secret://${name} may be sent over https only.`);
    if (ruleFor(place.hostname, rule.hosts ?? []) === undefined)
      throw new ToolFailure("blocked", `secret://${name} is not for ${place.hostname}.`, { hint });
  }
  if (!ports.masks)
    throw new ToolFailure(
      "blocked",
      `secret://${name} is not available while security.redact_secrets is false: its value could appear in an answer.`,
    );
  const value = ports.secret(name);
  if (value === undefined)
    throw new ToolFailure("unavailable", `secret://${name} has no value.`, {
      hint: `The user sets it: hermes config set ${name} VALUE.`,
    });
  return value;
}
