import type { ParsedMail } from "./mail-packages.ts";

export type Verdict =
  | { readonly address: string; readonly name: string }
  /** A phrase for the log. */
  | { readonly refused: string };

/**
 * The sender of a message, if the mailbox's server verified the address: its topmost Authentication-Results header
 * reports that DMARC passes, or that DKIM or SPF passes for the domain of the From header. A sender can write such a
 * header, too, so only that of a named server counts.
 * @param verifiers Names of that server, in lower case.
 */
export function verifiedSender(
  mail: Pick<ParsedMail, "headers" | "from">,
  { verifiers, trustsFrom }: { readonly verifiers: readonly string[]; readonly trustsFrom: boolean },
): Verdict {
  const from = mail.headers.filter(({ key }) => key === "from");
  const address = mail.from?.address?.toLowerCase() ?? "";
  if (from.length !== 1 || !/^[^\s@<>,]+@[^\s@<>,]+$/.test(address))
    return { refused: "it has no single sender address" };
  // `a@x, b@y` has two authors, and the server verifies only one.
  if ((from[0]!.value.match(/@/g) ?? []).length > 1 && /,|;/.test(from[0]!.value.replaceAll(/"[^"]*"/g, "")))
    return { refused: "it has several sender addresses" };
  const sender = { address, name: mail.from?.name ?? "" };
  if (trustsFrom) return sender;
  const top = mail.headers.find(({ key }) => key === "authentication-results");
  if (top === undefined) return { refused: "the mail server reports no verification of its sender" };
  const { server, results } = resultsIn(top.value);
  if (!verifiers.includes(server))
    return {
      refused: `its sender is verified by ${JSON.stringify(server)}; if that is your mail server, set EMAIL_AUTHSERV_ID to this name`,
    };
  const domain = address.split("@")[1]!;
  const passes = results.some(({ method, result, properties }) => {
    if (result !== "pass") return false;
    if (method === "dmarc") return isAligned(properties["header.from"] ?? "", domain);
    if (method === "dkim") return isAligned(properties["header.d"] ?? domainOf(properties["header.i"] ?? ""), domain);
    return method === "spf" && isAligned(domainOf(properties["smtp.mailfrom"] ?? ""), domain);
  });
  return passes ? sender : { refused: "the mail server could not verify its sender" };
}

interface Result {
  readonly method: string;
  readonly result: string;
  readonly properties: { readonly [name: string]: string };
}

/** Reads a header of RFC 8601. */
function resultsIn(value: string): { readonly server: string; readonly results: readonly Result[] } {
  const plain = plainWords(value.toLowerCase());
  const [head = "", ...rest] = plain.split(";").map((one) => one.trim());
  const results = rest.flatMap((one) => {
    const [first = "", ...others] = one.split(/\s+/);
    const [method = "", result = ""] = first.split("=");
    const properties = Object.fromEntries(others.map((other) => other.split("=", 2) as [string, string]));
    return result === "" ? [] : [{ method: method.split("/")[0]!, result, properties }];
  });
  return { server: head.split(/\s+/)[0] ?? "", results };
}

/**
 * The header without its comments, which nest, and its quoted strings as words. A sender chooses what stands in both: a
 * quoted address such as `"x; dmarc=pass"@evil.example` must not read as another result.
 */
function plainWords(text: string): string {
  let plain = "";
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const escaped = text[at] === "\\" && (quoted || depth > 0);
    const char = (escaped ? text[++at] : text[at]) ?? "";
    if (depth > 0) {
      if (!escaped && char === "(") depth++;
      if (!escaped && char === ")") depth--;
    } else if (!escaped && char === '"') quoted = !quoted;
    else if (quoted) plain += /[\w.@+-]/.test(char) ? char : "_";
    else if (char === "(") {
      depth = 1;
      plain += " ";
    } else plain += char;
  }
  return plain;
}

function domainOf(text: string): string {
  return text.split("@").at(-1) ?? "";
}

/** The same domain, or one above it. One below may belong to another user. */
function isAligned(verified: string, domain: string): boolean {
  return verified === domain || (verified.includes(".") && domain.endsWith(`.${verified}`));
}
