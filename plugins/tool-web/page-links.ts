const LINK = /<a\b([^<>]{1,4000})>([^<]{0,200})/gi;
const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
/** Extensions of files without readable text. */
const NO_PAGE =
  /\.(?:png|jpe?g|gif|webp|svg|ico|avif|css|m?js|json|xml|rss|zip|gz|tgz|7z|exe|dmg|iso|pdf|mp[34]|webm|ogg|wav|woff2?|ttf)$/i;

export interface PageLink {
  readonly url: string;
  readonly words: string;
}

/** The links of a page to its own host, each once, in order, without fragments. */
export function pageLinks(html: string, base: string): readonly PageLink[] {
  const { hostname } = new URL(base);
  const found = new Map<string, PageLink>();
  for (const [, attributes = "", words = ""] of html.matchAll(LINK)) {
    const href = HREF.exec(attributes);
    const address = (href?.[1] ?? href?.[2] ?? href?.[3] ?? "").replaceAll("&amp;", "&").trim();
    if (address === "" || !URL.canParse(address, base)) continue;
    const url = new URL(address, base);
    url.hash = "";
    if (
      !["http:", "https:"].includes(url.protocol) ||
      url.hostname !== hostname ||
      NO_PAGE.test(url.pathname) ||
      found.has(url.href)
    )
      continue;
    found.set(url.href, { url: url.href, words: words.replaceAll(/\s+/g, " ").trim() });
  }
  return [...found.values()];
}
