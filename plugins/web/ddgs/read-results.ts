export interface Found {
  readonly title: string;
  readonly url: string;
  readonly description: string;
}

export type Read =
  | { readonly kind: "results"; readonly results: readonly Found[] }
  /** It is the page with the puzzle for robots. */
  | { readonly kind: "blocked" }
  /** It is no page of results. */
  | { readonly kind: "unknown" };

const LINK = /<a\b([^<>]*\bclass\s*=\s*["'][^"']*\bresult__a\b[^<>]*)>([\s\S]{0,4000}?)<\/a>/gi;
const SNIPPET = /<(a|div|span|td)\b[^<>]*\bclass\s*=\s*["'][^"']*\bresult__snippet\b[^<>]*>([\s\S]{0,8000}?)<\/\1>/i;
const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i;

/** The results on a page of html.duckduckgo.com, without advertisements. */
export function readResults(html: string): Read {
  const links = [...html.matchAll(LINK)];
  if (links.length === 0) {
    if (/anomaly-modal|anomaly\.js|challenge-form|bots use DuckDuckGo/i.test(html)) return { kind: "blocked" };
    return /class\s*=\s*["'][^"']*\b(?:no-results|results_links|result--no-result)\b|No\s+(?:more\s+)?results/i.test(
      html,
    )
      ? { kind: "results", results: [] }
      : { kind: "unknown" };
  }
  const results = links.flatMap(([, attributes = "", title = ""], at): readonly Found[] => {
    const url = addressOf(plain((HREF.exec(attributes) ?? []).slice(1).find((one) => one !== undefined) ?? ""));
    if (url === undefined) return [];
    const next = html.slice(links[at]!.index, links[at + 1]?.index ?? html.length);
    return [{ title: plain(title), url, description: plain(SNIPPET.exec(next)?.[2] ?? "") }];
  });
  return { kind: "results", results };
}

/** The address behind DuckDuckGo's own redirect; `undefined` for an advertisement or no web address. */
function addressOf(href: string): string | undefined {
  const url = URL.parse(href, "https://html.duckduckgo.com/html/");
  if (url === null) return undefined;
  if (/(?:^|\.)duckduckgo\.com$/.test(url.hostname)) {
    const to = url.pathname === "/l/" ? url.searchParams.get("uddg") : null;
    const target = to === null ? null : URL.parse(to);
    // An advertisement leads through another page of theirs.
    return target === null || /(?:^|\.)duckduckgo\.com$/.test(target.hostname) || !isWeb(target) ? undefined : to!;
  }
  return isWeb(url) ? url.href : undefined;
}

const isWeb = ({ protocol }: URL): boolean => protocol === "http:" || protocol === "https:";

const NAMED: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** Text without tags, with its entities decoded. */
function plain(html: string): string {
  return html
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : "�";
    })
    .replaceAll(/\s+/g, " ")
    .trim();
}
