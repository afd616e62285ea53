import { domainToUnicode } from "node:url";
import { ruleFor } from "./blocklist.ts";
import { judgeAddress, type AddressClass } from "./judge-address.ts";
import { judgeName } from "./local-names.ts";
import { readAddress } from "./read-address.ts";
import { findInText, looksLikeKey } from "./secret-search.ts";

/** The addresses that a request may contact. Absent fields are strict. */
export interface UrlPolicy {
  /** `security.allow_private_urls`: this machine and its networks too. A cloud's metadata stays refused. */
  readonly allowPrivate?: boolean;
  /** Hosts (`api.example.com`, `*.example.com`) that alone may be reached: what a tool or plugin declared. */
  readonly hosts?: readonly string[];
  /** `security.website_blocklist`: `host` (and what is below it) or `*.host`. */
  readonly blocklist?: readonly string[];
  /** Values that must not leave. */
  readonly secrets?: readonly string[];
  /**
   * The address of a session that a service opened: its path and query may hold these of the secrets, and what is only
   * shaped like a key.
   */
  readonly signed?: readonly string[];
}

export type UrlRefusal =
  | "malformed"
  | "scheme"
  | "user info"
  | "characters"
  | "port"
  | "host"
  | "address"
  | "private address"
  | "metadata"
  | "unresolved"
  | "secret"
  | "blocklist"
  | "host list"
  | "redirects";

export interface UrlBlocked {
  readonly kind: "blocked";
  readonly key: UrlRefusal;
  /** A sentence for the model and the user. Never contains a secret. */
  readonly reason: string;
}

export type UrlJudgement =
  | UrlBlocked
  /**
   * `address` is set when the host is one already; otherwise the name's addresses have to be judged by {@link
   * judgeAddresses}.
   */
  | { readonly kind: "allowed"; readonly url: URL; readonly address: string | undefined };

const MAX_LENGTH = 32_768;

/**
 * May this text be fetched? Judged before anything is looked up: the spelling, what the host is, the port, the lists,
 * and whether a secret would leave with it. Pure. A redirect's `Location` is judged the same way, against the address
 * it came from.
 */
export function judgeUrl(text: string, policy: UrlPolicy = {}, base?: URL): UrlJudgement {
  const spelling = judgeSpelling(text, base);
  if (spelling !== undefined) return spelling;
  let url: URL;
  try {
    url = base === undefined ? new URL(text.trim()) : new URL(text.trim(), base);
  } catch {
    return blocked("malformed", "It is not a valid URL: cannot read the host or the port.");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return blocked("scheme", `Only http and https are fetched, not ${url.protocol}//.`);
  if (url.username !== "" || url.password !== "")
    return blocked(
      "user info",
      "The URL has a user name or password before the host, which can disguise where it leads.",
    );
  if (policy.secrets !== undefined || looksLikeKey(text)) {
    const secret = secretIn(text, url, policy);
    if (secret !== undefined) return secret;
  }
  const port = judgePort(url);
  if (port !== undefined) return port;
  return judgeHost(url, policy, text);
}

/**
 * Judges the addresses of a host's name. One bad address spoils the result: a server that mixes them chooses which one
 * is used.
 */
export function judgeAddresses(
  host: string,
  addresses: readonly string[],
  policy: UrlPolicy = {},
): UrlBlocked | { readonly kind: "allowed"; readonly pinned: string } {
  if (addresses.length === 0) return blocked("unresolved", `The name ${host} has no address.`);
  const judged = addresses.map(judgeAddress);
  for (const { class: kind, name, address } of judged) {
    const refused = refuseClass(kind, policy, `${host} resolves to ${address} (${name})`);
    if (refused !== undefined) return refused;
  }
  return { kind: "allowed", pinned: judged[0]!.address };
}

/** The text itself, before anything interprets it. */
function judgeSpelling(text: string, base: URL | undefined): UrlBlocked | undefined {
  if (text.length > MAX_LENGTH) return blocked("malformed", `It is longer than ${MAX_LENGTH} characters.`);
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u.test(text))
    return blocked("characters", "It contains control or direction characters, which can disguise where it leads.");
  if (text.includes("\\"))
    return blocked("characters", "It contains a backslash, which programs interpret differently.");
  const trimmed = text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(trimmed);
  if (scheme === null)
    return base === undefined
      ? blocked("malformed", "It is not an absolute URL: http:// or https:// is missing.")
      : trimmed.startsWith("//")
        ? judgeAuthority(trimmed.slice(2))
        : undefined;
  if (!/^https?$/i.test(scheme[1]!))
    return blocked("scheme", `Only http and https are fetched, not ${scheme[1]!.toLowerCase().slice(0, 30)}:.`);
  if (!/^https?:\/\/[^/]/i.test(trimmed)) return blocked("malformed", "It has no host after http:// or https://.");
  return judgeAuthority(trimmed.slice(trimmed.indexOf("//") + 2));
}

function judgeAuthority(rest: string): UrlBlocked | undefined {
  const authority = /^[^/?#]*/.exec(rest)![0];
  if (authority.includes("@"))
    return blocked(
      "user info",
      "The URL has a user name or password before the host, which can disguise where it leads.",
    );
  if (/[\s%\p{Default_Ignorable_Code_Point}]/u.test(authority))
    return blocked("characters", "The host contains escapes, blanks or invisible characters.");
  if (
    /[^\x00-\x7f]/.test(authority) &&
    /[\uff0f\u2044\u2215\u29f8\uff03\uff1f\uff20\ufe6b\uff1a\ufe55\u2100-\u2106\u33c2\u2488-\u249b]/.test(authority)
  )
    return blocked("characters", "The host contains look-alikes of separators such as / and dot.");
  return undefined;
}

function judgePort(url: URL): UrlBlocked | undefined {
  const port = url.port === "" ? undefined : Number(url.port);
  if (port === undefined || (port !== 0 && !OTHER_PROTOCOLS.has(port))) return undefined;
  return blocked(
    "port",
    `Port ${port} is for another protocol than public HTTP, such as mail, databases, caches or control interfaces.`,
  );
}

/** Ports that browsers refuse, and those of stores and control interfaces that obey any client. */
const OTHER_PROTOCOLS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526, 530, 531,
  532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 873, 1433, 1521, 2375, 2376, 2379, 2380, 3306, 3389,
  5432, 5900, 5985, 5986, 6379, 10250, 10255, 11211, 27017,
]);

function judgeHost(url: URL, policy: UrlPolicy, text: string): UrlJudgement {
  const host = url.hostname.replace(/\.$/, "");
  if (host === "" || host.startsWith(".") || host.endsWith(".") || host.includes("..") || host.length > 253)
    return blocked("malformed", "The host is empty or not a valid host name.");
  const rule = ruleFor(host, policy.blocklist ?? []);
  if (rule !== undefined) return blocked("blocklist", `${host} is on the user's blocklist (${rule}).`);
  if (policy.hosts !== undefined && ruleFor(host, policy.hosts) === undefined)
    return blocked("host list", `${host} is not one of the allowed hosts: ${policy.hosts.join(", ") || "none"}.`);
  if (readAddress(host) !== undefined) {
    for (const reading of [host, ...otherReading(text)]) {
      const { class: kind, name } = judgeAddress(reading);
      const refused = refuseClass(kind, policy, `${reading} is ${name}`);
      if (refused !== undefined) return refused;
    }
    return { kind: "allowed", url, address: judgeAddress(host).address };
  }
  const named = judgeName(host);
  const refused = named === undefined ? undefined : refuseClass(named.class, policy, `${host} is ${named.name}`);
  if (refused !== undefined) return refused;
  const disguised = disguise(host);
  return disguised === undefined ? { kind: "allowed", url, address: undefined } : blocked("host", disguised);
}

/** `0127.0.0.1` is octal to a browser and decimal to other programs: both have to be harmless. */
function otherReading(text: string): readonly string[] {
  const written = /^(?:https?:)?\/\/([0-9.]+?)\.?(?:[:/?#]|$)/i.exec(text.trim())?.[1] ?? "";
  const bytes = written.split(".");
  if (
    bytes.length !== 4 ||
    !bytes.some((byte) => /^0\d/.test(byte)) ||
    bytes.some((byte) => byte === "" || Number(byte) > 255)
  )
    return [];
  return [bytes.map(Number).join(".")];
}

/** A name that is made to be read as another. */
function disguise(host: string): string | undefined {
  if (!host.includes("xn--")) return undefined;
  // Inside the function, because V8 compiles these expressions when it reaches them, which takes longer than all the
  // rest of this file.
  const lookAlike = [
    [/\p{Script=Latin}/u, "Latin"],
    [/\p{Script=Cyrillic}/u, "Cyrillic"],
    [/\p{Script=Greek}/u, "Greek"],
    [/\p{Script=Armenian}/u, "Armenian"],
    [/\p{Script=Cherokee}/u, "Cherokee"],
  ] as const;
  const twins = /^[асеорхуіјѕһԁԛԝӏьгαοινρτυκχ0-9-]+$/u;
  const shown = domainToUnicode(host);
  if (shown === "" || shown === host) return `${host} is not a displayable name.`;
  for (const label of shown.split(".")) {
    if (/^[\p{Nd}\p{No}]+$/u.test(label) && /[^0-9]/.test(label)) return `${host} uses look-alike digits.`;
    const scripts = lookAlike.filter(([script]) => script.test(label)).map(([, name]) => name);
    if (scripts.length > 1)
      return `${host} mixes ${scripts.join(" and ")} letters in one word to imitate another name.`;
    // All of its letters pass for Latin ones.
    if (scripts.length === 1 && scripts[0] !== "Latin" && twins.test(label))
      return `${host} uses ${scripts[0]} letters that look Latin.`;
  }
  return undefined;
}

function secretIn(text: string, url: URL, { secrets = [], signed }: UrlPolicy): UrlBlocked | undefined {
  const found =
    signed === undefined
      ? carries(text, url, secrets) || looksLikeKey(text)
      : carries(url.origin, new URL(url.origin), secrets) ||
        looksLikeKey(url.origin) ||
        carries(
          text,
          url,
          secrets.filter((secret) => !signed.includes(secret)),
        );
  return found ? blocked("secret", "It contains a stored secret or something shaped like a key.") : undefined;
}

function carries(text: string, url: URL, secrets: readonly string[]): boolean {
  return (
    findInText(text, secrets) ||
    findInText(url.href, secrets) ||
    findInText([...url.searchParams.values()].join(""), secrets) ||
    findInText(url.pathname.replaceAll("/", ""), secrets) ||
    findInText(url.hostname.replaceAll(".", ""), secrets, "any-case")
  );
}

function refuseClass(kind: AddressClass, policy: UrlPolicy, what: string): UrlBlocked | undefined {
  if (kind === "public") return undefined;
  if (kind === "metadata") return blocked("metadata", `${what}; it gives out credentials, so it is always blocked.`);
  if (kind === "unusable") return blocked("address", `${what}; this is not a public address.`);
  if (policy.allowPrivate === true) return undefined;
  return blocked(
    "private address",
    `${what}; only public addresses are allowed. The user can allow others with security.allow_private_urls.`,
  );
}

function blocked(key: UrlRefusal, reason: string): UrlBlocked {
  return { kind: "blocked", key, reason };
}
