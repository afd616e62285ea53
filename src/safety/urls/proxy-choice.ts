import { judgeAddress } from "./judge-address.ts";
import { readAddress } from "./read-address.ts";

/** `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`, in either case, as the user set them. */
export type ProxyVariables = (name: string) => string | undefined;

export type ProxyChoice =
  | { readonly kind: "direct" }
  | {
      readonly kind: "proxy";
      readonly protocol: "http" | "https" | "socks4" | "socks5";
      /** With credentials, if the user wrote some. */
      readonly url: URL;
      /** The user chose a proxy that looks names up itself (`socks4a`, `socks5h`). */
      readonly resolves: boolean;
    }
  /** `reason` names the variable and never its value, which may hold a password. */
  | { readonly kind: "unusable"; readonly reason: string };

const DIRECT: ProxyChoice = { kind: "direct" };
const PROTOCOLS = {
  "http:": ["http", false],
  "https:": ["https", false],
  "socks:": ["socks5", false],
  "socks4:": ["socks4", false],
  "socks4a:": ["socks4", true],
  "socks5:": ["socks5", false],
  "socks5h:": ["socks5", true],
} as const;

/**
 * The way to a server, by the user's variables. Loopback is never proxied: a proxy elsewhere would find itself there.
 * Values may lack their scheme (`proxy.example:3128` is HTTP) and may be quoted.
 * @param address The address that the host's name led to, if it was looked up: for networks in `NO_PROXY`.
 */
export function chooseProxy(url: URL, variables: ProxyVariables, address?: string): ProxyChoice {
  const [name, value] = valueOf(variables, url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY") ??
    valueOf(variables, "ALL_PROXY") ?? ["", ""];
  if (value === "" || isLoopback(url.hostname, address) || isExcepted(url, variables, address)) return DIRECT;
  const proxy = URL.parse(value.includes("://") ? value : `http://${value}`);
  if (proxy === null || proxy.hostname === "")
    return { kind: "unusable", reason: `${name} is not the address of a proxy` };
  const known = Object.hasOwn(PROTOCOLS, proxy.protocol)
    ? PROTOCOLS[proxy.protocol as keyof typeof PROTOCOLS]
    : undefined;
  if (known === undefined)
    return { kind: "unusable", reason: `${name} names a proxy for ${proxy.protocol}//, which Hermes cannot use` };
  return { kind: "proxy", protocol: known[0], url: proxy, resolves: known[1] };
}

/** The first that is set, lower case first, as other programs do it. An empty value means no proxy. */
function valueOf(variables: ProxyVariables, name: string): readonly [name: string, value: string] | undefined {
  for (const one of [name.toLowerCase(), name]) {
    const value = variables(one);
    if (value !== undefined) return [one, unquoted(value)];
  }
  return undefined;
}

function unquoted(value: string): string {
  const text = value.trim();
  const quoted = /^(["'])(.*)\1$/s.exec(text);
  return quoted === null ? text : quoted[2]!.trim();
}

function isLoopback(hostname: string, address: string | undefined): boolean {
  const host = hostname.replace(/\.$/, "");
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    [bare(host), address].some((one) => one !== undefined && judgeAddress(one).class === "loopback")
  );
}

/** `*`, `host`, `.host` and `*.host` (what is below it), each with a port or without, an address, and a network (`10.0.0.0/8`). */
function isExcepted(url: URL, variables: ProxyVariables, address: string | undefined): boolean {
  const [, list] = valueOf(variables, "NO_PROXY") ?? ["", ""];
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  const host = bare(url.hostname.replace(/\.$/, ""));
  return list
    .split(/[\s,]+/)
    .map(unquoted)
    .some((rule) => rule !== "" && matches(rule.toLowerCase(), host, port, address));
}

function matches(rule: string, host: string, port: string, address: string | undefined): boolean {
  if (rule === "*") return true;
  if (rule.includes("/") && !rule.includes("://"))
    return [host, address].some((one) => one !== undefined && isInNetwork(one, rule));
  const parsed = /^(?:[a-z]+:\/\/)?(\[[^\]]+\]|[^:/]+|[^/]*:[^/]*:[^/]*?)(?::(\d+))?\/?$/.exec(rule);
  if (parsed === null) return false;
  const [, name = "", only] = parsed;
  if (only !== undefined && only !== port) return false;
  const wanted = bare(name.replace(/\.$/, ""));
  if (readAddress(wanted) !== undefined) return [host, address].some((one) => sameAddress(one, wanted));
  if (wanted.startsWith("*.")) return host.endsWith(wanted.slice(1));
  const suffix = wanted.replace(/^\./, "");
  return suffix !== "" && (host === suffix || host.endsWith(`.${suffix}`));
}

function isInNetwork(text: string, network: string): boolean {
  const [base = "", bits = ""] = network.split("/");
  const [first, second] = [readAddress(bare(text)), readAddress(bare(base))];
  if (first === undefined || second === undefined || first.family !== second.family || !/^\d{1,3}$/.test(bits))
    return false;
  const width = first.family === 4 ? 8 : 16;
  const length = Number(bits);
  if (length > width * first.parts.length) return false;
  return first.parts.every((part, at) => {
    const counted = Math.min(width, Math.max(0, length - at * width));
    return part >> (width - counted) === second.parts[at]! >> (width - counted);
  });
}

function sameAddress(text: string | undefined, wanted: string): boolean {
  const [first, second] = [text === undefined ? undefined : readAddress(text), readAddress(wanted)];
  return first !== undefined && second !== undefined && first.parts.join() === second.parts.join();
}

const bare = (host: string): string => host.replace(/^\[|\]$/g, "");
