import type { Json, ToolContext } from "hermes-agent/plugin";
import type { BrowserDesk } from "./browser-service.ts";
import { failed } from "./stoppable.ts";

const MOST_IMAGES = 200;

/** The pictures of the page in front. */
export async function images(desk: BrowserDesk, call: ToolContext) {
  return desk.use(call, {}, async (page) => {
    const { value } =
      await page.evaluate(`[...document.images].filter((one) => one.currentSrc || one.src).slice(0, ${MOST_IMAGES}).map((one) => {
      const src = one.currentSrc || one.src;
      return { src: src.startsWith("data:") ? src.slice(0, 60) + "…" : src.slice(0, 2000), alt: one.alt.slice(0, 300), width: one.naturalWidth, height: one.naturalHeight };
    })`);
    const list = value as readonly Json[];
    return { success: true, images: list, count: list.length };
  });
}

/** What the page printed and threw. */
export async function printed(desk: BrowserDesk, clear: boolean, call: ToolContext) {
  return desk.use(call, { dialog: true }, async ({ consoleLines, jsErrors }) => {
    const told = {
      success: true,
      console_messages: [...consoleLines],
      js_errors: [...jsErrors],
      total_messages: consoleLines.length,
      total_errors: jsErrors.length,
    };
    if (clear) consoleLines.length = jsErrors.length = 0;
    return told;
  });
}

/** The value of an expression in the page. */
export async function evaluate(desk: BrowserDesk, expression: string, call: ToolContext) {
  if (call.config("browser.restrict_evaluate") === true)
    throw failed("blocked", "The person lets no scripts run in pages (browser.restrict_evaluate).");
  return desk.use(call, {}, async (page) => {
    let result: Awaited<ReturnType<typeof page.evaluate>> | undefined;
    await page.act(async () => (result = await page.evaluate(expression, desk.stepMs)), desk.stepMs);
    if (result === undefined) return { success: true, result: null, result_type: "undefined" };
    return { success: true, result: result.value ?? null, result_type: result.type };
  });
}
