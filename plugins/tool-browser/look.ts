import type { Json, ToolContext } from "hermes-agent/plugin";
import type { BrowserService } from "./browser-service.ts";
import { failed } from "./stoppable.ts";

const MAX_IMAGES = 200;

/** The pictures of the page in front. */
export async function images(service: BrowserService, call: ToolContext) {
  return service.use(call, {}, async (page) => {
    const { value } =
      await page.evaluate(`[...document.images].filter((one) => one.currentSrc || one.src).slice(0, ${MAX_IMAGES}).map((one) => {
      const src = one.currentSrc || one.src;
      return { src: src.startsWith("data:") ? src.slice(0, 60) + "…" : src.slice(0, 2000), alt: one.alt.slice(0, 300), width: one.naturalWidth, height: one.naturalHeight };
    })`);
    const list = value as readonly Json[];
    return { success: true, images: list, count: list.length };
  });
}

/** The page's console messages and errors. */
export async function printed(service: BrowserService, clear: boolean, call: ToolContext) {
  return service.use(call, { dialog: true }, async ({ consoleLines, jsErrors }) => {
    const message = {
      success: true,
      console_messages: [...consoleLines],
      js_errors: [...jsErrors],
      total_messages: consoleLines.length,
      total_errors: jsErrors.length,
    };
    if (clear) consoleLines.length = jsErrors.length = 0;
    return message;
  });
}

/** The value of an expression in the page. */
export async function evaluate(service: BrowserService, expression: string, call: ToolContext) {
  if (call.config("browser.restrict_evaluate") === true)
    throw failed("blocked", "The setting browser.restrict_evaluate forbids scripts in pages.");
  return service.use(call, {}, async (page) => {
    let result: Awaited<ReturnType<typeof page.evaluate>> | undefined;
    await page.act(async () => (result = await page.evaluate(expression, service.stepMs)), service.stepMs);
    if (result === undefined) return { success: true, result: null, result_type: "undefined" };
    return { success: true, result: result.value ?? null, result_type: result.type };
  });
}
