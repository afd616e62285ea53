import { ToolFailure, type GuardedFetch } from "hermes-agent/plugin";
import type { Page } from "./page.ts";
import { pageText } from "./page-text.ts";

const PAGE_BYTES = 5_000_000;
const TEXT = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|javascript|x-ndjson)\b)/i;

export interface ReadOptions {
  /** The only host that may be contacted. */
  readonly hosts?: readonly string[];
  /** Called with an HTML page and its final URL. */
  html?(text: string, from: string): void;
}

/** Reads one page as text through the guarded fetch. */
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
    if (!TEXT.test(type) && !/html/i.test(type)) return failed(`The content is not text but ${type.split(";")[0]}.`);
    const text = await reply.text();
    if (/html/i.test(type)) html?.(text, reply.url);
    const { title, content } = /html/i.test(type) ? pageText(text, reply.url) : { title: "", content: text };
    return content.trim() === ""
      ? failed("The page has no text; scripts may create its content.")
      : { url, title, content, error: null };
  } catch (cause) {
    if (cause instanceof ToolFailure) return failed(cause.message);
    throw cause;
  }
}
