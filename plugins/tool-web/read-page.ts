import { ToolFailure, type GuardedFetch } from "hermes-agent/plugin";
import type { Page } from "./page.ts";
import { pageText } from "./page-text.ts";

const PAGE_BYTES = 5_000_000;
const TEXT = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|javascript|x-ndjson)\b)/i;

export interface ReadOptions {
  /** That alone may be reached. */
  readonly hosts?: readonly string[];
  /** Told of a page that is HTML, and where it came from. */
  html?(text: string, from: string): void;
}

/** One page as text, by the guarded way out. */
export async function readPage(url: string, fetch: GuardedFetch, { hosts, html }: ReadOptions = {}): Promise<Page> {
  const failed = (error: string): Page => ({ url, title: "", content: "", error });
  try {
    const reply = await fetch(url, {
      headers: { accept: "text/html,text/plain,text/markdown,application/json;q=0.9,*/*;q=0.5" },
      maxBytes: PAGE_BYTES,
      hosts,
    });
    if (reply.status < 200 || reply.status >= 300) return failed(`The server answered ${reply.status}.`);
    const type = reply.headers["content-type"] ?? "text/html";
    if (!TEXT.test(type) && !/html/i.test(type)) return failed(`It is no text but ${type.split(";")[0]}.`);
    const text = await reply.text();
    if (/html/i.test(type)) html?.(text, reply.url);
    const { title, content } = /html/i.test(type) ? pageText(text) : { title: "", content: text };
    return content.trim() === ""
      ? failed("The page holds no text; it may be made by scripts.")
      : { url, title, content, error: null };
  } catch (cause) {
    if (cause instanceof ToolFailure) return failed(cause.message);
    throw cause;
  }
}
