import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "hermes-agent/browser";
import { definedFields, askAboutPicture, ToolFailure, type PluginContext, type ToolContext } from "hermes-agent/plugin";
import type { BrowserService, Held } from "./browser-service.ts";
import { takeSnapshot, type Snapshot } from "./snapshot.ts";

/** Pictures of pages that are kept, the oldest going first. */
const RETAINED_FILES = 100;
const MAX_LABELS = 100;

/** A vision model describes the page's current look. The image stays in a file. */
export async function look(
  service: BrowserService,
  ctx: Pick<PluginContext, "llm" | "home">,
  question: string,
  annotate: boolean,
  call: ToolContext,
) {
  const { data, annotations } = await service.use(call, {}, async (page, held) => {
    const labels = annotate ? await label(page, held) : undefined;
    try {
      const shot = await page.send("Page.captureScreenshot", { format: "png" });
      return { data: String(shot["data"]), annotations: labels };
    } finally {
      if (labels !== undefined)
        await page.evaluate(`document.getElementById("${OVERLAY}")?.remove()`).catch(() => undefined); // The page went, and the labels with it.
    }
  });
  const screenshot_path = await saved(join(ctx.home, "cache", "screenshots"), Buffer.from(data, "base64"), call.callId);
  call.progress("a model views the page");
  try {
    const analysis = await askAboutPicture(ctx, call, { type: "image", mediaType: "image/png", data }, question);
    return definedFields({ success: true, analysis, screenshot_path, annotations });
  } catch (cause) {
    if (!(cause instanceof ToolFailure) || call.signal.aborted) throw cause;
    throw new ToolFailure(cause.code, cause.message, {
      cause,
      data: { success: false, screenshot_path },
      hint: cause.hint,
    });
  }
}

const OVERLAY = "hermes-labels";

/** Numbers what can be acted on and is in view: [5] is @e5. */
async function label(page: Page, held: Held): Promise<readonly Omit<Snapshot["elements"][number], "node">[]> {
  const { elements } = await takeSnapshot(page, held.refs(page), false);
  const placed: { readonly number: string; readonly x: number; readonly y: number }[] = [];
  const shown: Omit<Snapshot["elements"][number], "node">[] = [];
  for (const { node, ...element } of elements.slice(0, MAX_LABELS)) {
    const { quads } = await page.send("DOM.getContentQuads", { backendNodeId: node }).catch(() => ({ quads: [] })); // It has no place.
    const [quad] = quads as unknown as readonly (readonly number[])[];
    if (quad === undefined) continue;
    placed.push({ number: element.ref.slice(2), x: quad[0]!, y: quad[1]! });
    shown.push(element);
  }
  await page.evaluate(`(${DRAW})(${JSON.stringify(OVERLAY)}, ${JSON.stringify(placed)})`);
  return shown;
}

const DRAW = `(id, labels) => {
  const overlay = document.createElement("div");
  overlay.id = id;
  overlay.style.cssText = "position:fixed;inset:0;pointer-events:none;z-index:2147483647";
  for (const { number, x, y } of labels) {
    const one = document.createElement("div");
    one.textContent = "[" + number + "]";
    one.style.cssText = "position:absolute;left:" + x + "px;top:" + y + "px;background:#d00;color:#fff;font:bold 12px sans-serif;padding:0 2px";
    overlay.append(one);
  }
  document.documentElement.append(overlay);
}`;

async function saved(folder: string, bytes: Buffer, callId: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = (await readdir(folder)).filter((name) => name.startsWith("browser_")).sort();
  for (const name of names.slice(0, Math.max(0, names.length + 1 - RETAINED_FILES)))
    await rm(join(folder, name), { force: true });
  const file = join(folder, `browser_${Date.now()}_${callId.replaceAll(/[^\w-]/g, "_").slice(-40)}.png`);
  await writeFile(file, bytes, { mode: 0o600 });
  return file;
}
