import { ToolFailure, objectOf, type Json, type PluginContext, type ToolContext } from "hermes-agent/plugin";
import { addressesIn } from "./addresses-in.ts";
import { chooseService } from "./choose-service.ts";
import { fitPage } from "./fit-page.ts";
import type { Page } from "./page.ts";
import { readPage } from "./read-page.ts";
import { summarizePages } from "./summarize-pages.ts";

const MAX_PAGES = 5;

/**
 * Reads pages in the requested order, through a service if one is available, else directly. A page that cannot be read
 * becomes an entry with its error.
 */
export async function extractPages(
  given: readonly string[],
  charLimit: number | undefined,
  call: Pick<ToolContext, "config" | "use" | "fetch" | "agentHome" | "log" | "signal" | "found">,
  ctx: Pick<PluginContext, "llm">,
): Promise<{ readonly results: readonly Page[] }> {
  const urls = [...new Set(given.map((url) => url.trim()).filter((url) => url !== ""))];
  if (urls.length === 0) throw new ToolFailure("bad_arguments", "urls is empty.");
  if (urls.length > MAX_PAGES)
    throw new ToolFailure("bad_arguments", `urls has ${urls.length} pages; the maximum is ${MAX_PAGES}.`);
  const service = await chooseService("extract", call);
  const pages =
    service === undefined
      ? await Promise.all(urls.map((url) => readPage(url, call.fetch)))
      : pagesOf(urls, await service.extract!(urls, { format: "markdown" }), service.name);
  for (const { url, content } of pages) call.found?.(addressesIn(content), url);
  // A caller that sets char_limit wants the page's own text, not a summary.
  const summarized =
    charLimit === undefined ? await summarizePages(pages, call, ctx) : pages.map((page) => ({ page, whole: false }));
  return {
    results: await Promise.all(summarized.map(({ page, whole }) => (whole ? page : fitPage(page, charLimit, call)))),
  };
}

/** A service may omit pages or return additional ones. */
function pagesOf(urls: readonly string[], answer: Json, service: string): readonly Page[] {
  const given = (Array.isArray(answer) ? (answer as readonly Json[]) : []).map(objectOf);
  return urls.map((url, at) => {
    const page = given.find((one) => one["url"] === url) ?? (given.length === urls.length ? given[at]! : {});
    const content =
      [page["content"], page["raw_content"]].find((text): text is string => typeof text === "string" && text !== "") ??
      "";
    const error =
      typeof page["error"] === "string" && page["error"] !== ""
        ? page["error"]
        : content === ""
          ? `"${service}" returned no content for this page.`
          : null;
    return { url, title: typeof page["title"] === "string" ? page["title"] : "", content, error };
  });
}
