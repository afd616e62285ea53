import { ToolFailure, type ToolContext } from "hermes-agent/plugin";
import type { Page } from "./page.ts";
import { fitPage } from "./fit-page.ts";
import { pageLinks, type PageLink } from "./page-links.ts";
import { readPage } from "./read-page.ts";

export interface CrawlInput {
  readonly url: string;
  readonly instructions?: string | undefined;
  readonly depth?: string | undefined;
}

/** Maximum link distance from the first page, and maximum number of pages. */
const LIMITS = { basic: { steps: 2, pages: 10 }, advanced: { steps: 4, pages: 20 } } as const;
const AT_ONCE = 4;
/** No page is started after this time. */
const LONGEST_MS = 120_000;

/**
 * Reads the page and pages that its links lead to on the same host, nearest first; at equal distance, links that match
 * the instructions first. A page that cannot be read becomes an entry with its error. Requested URLs never contain text
 * of the conversation.
 */
export async function crawlSite(
  { url, instructions, depth }: CrawlInput,
  call: Pick<ToolContext, "config" | "fetch" | "agentHome" | "log" | "signal">,
): Promise<{ readonly results: readonly Page[] }> {
  const first = url.trim();
  if (!URL.canParse(first) || !/^https?:$/.test(new URL(first).protocol))
    throw new ToolFailure("bad_arguments", `"${first.slice(0, 200)}" is not an http or https URL.`);
  const { steps, pages: most } = LIMITS[depth === "advanced" ? "advanced" : "basic"];
  const until = performance.now() + LONGEST_MS;
  const wanted = wordsOf(instructions ?? "");
  const begin = new URL(first);
  begin.hash = "";
  const seen = new Set([begin.href]);
  const pages: Page[] = [];
  let host: string | undefined;

  /** The final URL may differ from the requested one after redirects; links are relative to it. */
  async function read(address: string): Promise<readonly PageLink[]> {
    let links: readonly PageLink[] = [];
    const page = await readPage(address, call.fetch, {
      hosts: host === undefined ? undefined : [host],
      html(text, from) {
        host ??= new URL(from).hostname;
        seen.add(from);
        links = pageLinks(text, from);
      },
    });
    pages.push(page);
    return links;
  }

  let next: readonly string[] = [begin.href];
  for (let step = 0; step <= steps && next.length > 0 && pages.length < most; step++) {
    const found: PageLink[] = [];
    const level = next.slice(0, most - pages.length);
    for (let at = 0; at < level.length && performance.now() < until; at += AT_ONCE) {
      call.signal.throwIfAborted();
      const batch = level.slice(at, at + AT_ONCE);
      const before = pages.length;
      const links = await Promise.all(batch.map(read));
      // In the requested order, whichever answered first.
      pages.splice(
        before,
        batch.length,
        ...pages.slice(before).toSorted((a, b) => batch.indexOf(a.url) - batch.indexOf(b.url)),
      );
      found.push(...links.flat());
    }
    const fresh = found.filter((link) => !seen.has(link.url) && seen.add(link.url));
    next = fresh.toSorted((a, b) => scoreOf(b, wanted) - scoreOf(a, wanted)).map((link) => link.url);
  }
  return { results: await Promise.all(pages.map((page) => fitPage(page, undefined, call))) };
}

function wordsOf(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])];
}

function scoreOf({ url, words }: PageLink, wanted: readonly string[]): number {
  const about = `${new URL(url).pathname} ${words}`.toLowerCase();
  return wanted.filter((word) => about.includes(word)).length;
}
