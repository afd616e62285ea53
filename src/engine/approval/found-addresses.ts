import { judgeUrl } from "../../safety/urls/judge-url.ts";

/** Addresses that one page or one search may add. */
const MOST = 128;

/**
 * Adds the addresses that count: public ones without a user name or something like a key, of the page's own host if a
 * page lists them. Each is spelled as `URL` spells it, without its fragment and, if it has one, also with it.
 */
export function noteFound(
  into: Set<string>,
  addresses: readonly string[],
  { page, allowPrivate }: { readonly page?: string; readonly allowPrivate: boolean },
): void {
  const host = page === undefined ? undefined : URL.parse(page)?.host;
  if (page !== undefined && host === undefined) return;
  let added = 0;
  for (const address of addresses) {
    if (added >= MOST) return;
    const judged = judgeUrl(address, { allowPrivate });
    if (judged.kind === "blocked" || (host !== undefined && judged.url.host !== host)) continue;
    const { href } = judged.url;
    const sent = href.split("#", 1)[0]!;
    if (into.has(sent) && into.has(href)) continue;
    into.add(sent).add(href);
    added += 1;
  }
}
