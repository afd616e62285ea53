import type { Page } from "hermes-agent/browser";
import { definedFields, ToolFailure, type ToolContext } from "hermes-agent/plugin";
import type { BrowserService, Held } from "./browser-service.ts";
import { fitSnapshot } from "./fit-snapshot.ts";
import { takeSnapshot } from "./snapshot.ts";

/** Titles of pages that check for bots. */
const CHALLENGES =
  /just a moment|attention required|checking your browser|are you (?:a )?(?:human|robot)|verify you are human|captcha|access denied|security check|ddos protection/i;

/** Opens an address and reads what is there. */
export async function navigate(service: BrowserService, given: string, call: ToolContext) {
  const address =
    /^[a-z][a-z0-9+.-]*:/i.test(given.trim()) && !/^localhost:|^[\w.-]+:\d+(?:\/|$)/i.test(given.trim())
      ? given.trim()
      : `https://${given.trim()}`;
  return service.use(call, { opens: await service.placeOf(address) }, async (page, held) => {
    const { browser } = held;
    const refused = await browser.judge(address);
    if (refused !== undefined) throw notOpened("blocked", refused);
    const refusals = browser.refusals.length;
    const seconds = Math.max(held.fresh ? 120 : 60, service.seconds("browser.command_timeout", 30));
    const error = await page.navigate(address, seconds * 1000);
    if (error !== undefined) {
      const why = browser.refusals.length > refusals ? browser.refusals.at(-1) : undefined;
      // Remove a refused page.
      await page.navigate("about:blank", 5_000).catch(() => undefined);
      if (why !== undefined) throw notOpened("blocked", why);
      if (/ERR_ABORTED/.test(error))
        throw notOpened("failed", "The address starts a download, which this browser does not support.");
      throw notOpened("unreachable", `${error}.`);
    }
    const { text, count } = await readPage(page, held, false, call);
    const { url, title } = await page.where();
    call.found?.([url], url);
    return {
      success: true,
      url,
      title,
      snapshot: text,
      element_count: count,
      ...held.about(),
      ...definedFields({
        bot_detection_warning: CHALLENGES.test(title) ? "This page may show a bot check (CAPTCHA)." : undefined,
      }),
      ...dialogsOf(page),
    };
  });
}

/** A snapshot of the current page. */
export async function snapshot(service: BrowserService, full: boolean, call: ToolContext) {
  return service.use(call, { dialog: true }, async (_, held) => {
    const { page } = held.browser;
    const { text, count } = await readPage(page, held, full, call);
    return { success: true, snapshot: text, element_count: count, ...dialogsOf(page) };
  });
}

async function readPage(
  page: Page,
  held: Held,
  full: boolean,
  call: ToolContext,
): Promise<{ readonly text: string; readonly count: number }> {
  await page.loaded(10_000);
  // A dialog holds the page, and what is on it cannot be read.
  if (page.dialog !== undefined) return { text: "", count: 0 };
  const { text, elements } = await takeSnapshot(page, held.refs(page), full);
  return { text: await fitSnapshot(text, call), count: elements.length };
}

function dialogsOf(page: Page): {
  readonly pending_dialogs?: readonly unknown[];
  readonly recent_dialogs?: readonly unknown[];
} {
  const answered = page.answeredDialogs.splice(0);
  return definedFields({
    pending_dialogs: page.dialog === undefined ? undefined : [page.dialog],
    recent_dialogs: answered.length === 0 ? undefined : answered,
  });
}

function notOpened(code: string, why: string): ToolFailure {
  return new ToolFailure(code, `Cannot open the page: ${why}`);
}
