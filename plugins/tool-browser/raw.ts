import { ToolFailure, type JsonObject, type ToolContext } from "hermes-agent/plugin";
import type { BrowserService } from "./browser-service.ts";
import { failed } from "./stoppable.ts";
import { isRefused, OF_BROWSER, runsNoScript } from "./methods.ts";

/** One DevTools command, in the task's tab, in another one by its id, or to the browser itself. */
export async function sendRaw(
  service: BrowserService,
  input: {
    readonly method: string;
    readonly params?: JsonObject;
    readonly target_id?: string;
    readonly frame_id?: string;
    readonly timeout?: number;
  },
  call: ToolContext,
) {
  const { method, params = {}, timeout = 30 } = input;
  const target = input.frame_id ?? input.target_id;
  if (!/^[A-Z]\w*\.\w+$/.test(method))
    throw failed("bad_arguments", `"${method}" is not a DevTools command.`, "Example: Page.getLayoutMetrics.");
  if (isRefused(method))
    throw failed(
      "blocked",
      `${method} is refused: it could bypass this browser's guards, give it a file, or read the user's credentials.`,
    );
  if (call.config("browser.restrict_evaluate") === true && !runsNoScript(method))
    throw failed("blocked", `${method} is refused: the setting browser.restrict_evaluate forbids scripts in pages.`);
  const timeoutMs = Math.min(300, Math.max(1, timeout)) * 1000;
  return service.use(call, { opens: "chosen", dialog: true }, async (page, { browser }) => {
    if (typeof params["url"] === "string") {
      const refused = await browser.judge(params["url"]);
      if (refused !== undefined) throw new ToolFailure("blocked", `${method} is refused: ${refused}`);
    }
    const own = target === undefined ? page : browser.pages.find(({ targetId }) => targetId === target);
    if (own !== undefined) {
      const result = OF_BROWSER.test(method)
        ? await browser.tools.send(method, params, undefined, timeoutMs)
        : await own.send(method, params, timeoutMs);
      return { success: true, method, result };
    }
    const { sessionId } = await browser.tools.send("Target.attachToTarget", { targetId: target!, flatten: true });
    try {
      const result = await browser.tools.send(method, params, String(sessionId), timeoutMs);
      return {
        success: true,
        method,
        result,
        ...(input.frame_id === undefined ? { target_id: target! } : { frame_id: target! }),
      };
    } finally {
      await browser.tools.send("Target.detachFromTarget", { sessionId: sessionId! }).catch(() => undefined); // It is closed already.
    }
  });
}

/** Answers the dialog that holds the page. */
export async function answerDialog(
  service: BrowserService,
  input: { readonly action: "accept" | "dismiss"; readonly prompt_text?: string; readonly dialog_id?: string },
  call: ToolContext,
) {
  return service.use(call, { dialog: true }, async (page) => {
    const { dialog } = page;
    if (dialog === undefined) throw new ToolFailure("not_found", "No dialog is open.");
    if (input.dialog_id !== undefined && input.dialog_id !== dialog.id)
      throw new ToolFailure("not_found", `There is no dialog "${input.dialog_id}"; the open one is "${dialog.id}".`);
    await page.act(() => page.answer(dialog, input.action === "accept", input.prompt_text), service.stepMs);
    page.answeredDialogs.pop();
    return { success: true, action: input.action, dialog };
  });
}
