import assert from "node:assert/strict";
import { test } from "node:test";
import type { RiskContext } from "hermes-agent/plugin";
import { devToolsTools } from "./dev-tools-tools.ts";
import { isRefused } from "./methods.ts";

const [cdp] = devToolsTools(
  {
    load: () => Promise.reject(new Error("nothing is opened to judge it")),
    words: () => ({ source: "a page" }),
    sends: () => [],
    fills: async () => [],
    uses: async () => [],
  },
  true,
);
const question = async (input: object) => (await cdp!.assess?.(input as never, {} as RiskContext))?.risk;

test("browser_cdp asks before it attaches to another tab or frame, changes the whole browser or does more than drive its own tab", async () => {
  for (const input of [
    { method: "Runtime.evaluate", target_id: "T" },
    { method: "Runtime.evaluate", frame_id: "T" },
    { method: "Page.captureScreenshot", params: { targetId: "T" } },
    { method: "Target.getTargets" },
    { method: "Target.closeTarget", params: { targetId: "T" } },
    { method: "Target.activateTarget", params: { targetId: "T" } },
    { method: "Target.disposeBrowserContext", params: { browserContextId: "C" } },
    { method: "Browser.setWindowBounds" },
    { method: "Network.setExtraHTTPHeaders" },
    { method: "Debugger.evaluateOnCallFrame" },
    { method: "DOMStorage.getDOMStorageItems" },
  ]) {
    const risk = await question(input);
    assert.ok(risk?.answer === "ask" && risk.reasons[0]!.includes(input.method), JSON.stringify(input));
  }
  for (const method of [
    "Runtime.evaluate",
    "Page.navigate",
    "Page.captureScreenshot",
    "DOM.getDocument",
    "Input.insertText",
    "Browser.getVersion",
  ])
    assert.equal(await question({ method }), undefined, method);
});

test("browser_cdp never uploads a file, reveals cookies or changes the network guard, even with an approval", () => {
  for (const method of [
    "DOM.setFileInputFiles",
    "DOM.getFileInfo",
    "Input.dispatchDragEvent",
    "Network.getCookies",
    "Network.setCookie",
    "Network.deleteCookies",
    "Network.clearBrowserCookies",
    "Page.getCookies",
    "Storage.getCookies",
    "Fetch.disable",
    "Target.attachToTarget",
    "Target.setDiscoverTargets",
    "Target.setAutoAttach",
    "Network.setBypassServiceWorker",
  ])
    assert.ok(isRefused(method), method);
  for (const method of ["Runtime.evaluate", "Target.getTargets", "Page.navigate", "Network.getResponseBody"])
    assert.ok(!isRefused(method), method);
});
