import { findChromium, socketAddress } from "hermes-agent/browser";
import type { BrowserService } from "./browser-service.ts";

const DEFAULT = "http://127.0.0.1:9222";

/**
 * `/browser`: switches this run to the user's browser, or back to the agent's.
 * @param offer Adds the tools that only a user's browser has, or removes them.
 */
export async function browserCommand(
  args: string,
  service: BrowserService,
  offer: (connected: boolean) => void,
): Promise<string> {
  const [word = "status", given, ...more] = args
    .trim()
    .split(/\s+/)
    .filter((one) => one !== "");
  if (
    more.length > 0 ||
    !["connect", "disconnect", "status"].includes(word) ||
    (given !== undefined && word !== "connect")
  )
    return "Usage: /browser [connect [URL]|disconnect|status]";
  if (word === "status") return status(service);
  if (word === "disconnect") {
    if (service.connected === undefined)
      return service.endpoint === undefined
        ? "Your browser is not connected."
        : "The setting browser.cdp_url selects your browser. To disconnect, run: hermes config unset browser.cdp_url";
    service.connected = undefined;
    offer(false);
    await service.close();
    return "Disconnected. The next page opens in the agent's browser.";
  }
  const endpoint =
    given === undefined
      ? DEFAULT
      : /^\d+$/.test(given)
        ? `http://127.0.0.1:${given}`
        : /^\w+:\/\//.test(given)
          ? given
          : `http://${given}`;
  try {
    await socketAddress(endpoint);
  } catch (cause) {
    const { message, hint } = cause as { readonly message: string; readonly hint?: string };
    return `${message} ${hint ?? ""}`.trim();
  }
  service.connected = endpoint;
  offer(true);
  await service.close();
  return `Connected to your browser at ${endpoint} until Hermes exits. The next page opens there in a new tab, with that browser's cookies. browser_cdp and browser_dialog become available after /new.`;
}

async function status(service: BrowserService): Promise<string> {
  const open = `${service.open} ${service.open === 1 ? "task has" : "tasks have"} a page open.`;
  if (service.endpoint !== undefined)
    return `Your browser at ${service.endpoint}${service.connected === undefined ? " (browser.cdp_url)" : " (until Hermes exits)"}. ${open}`;
  const where = await service.where();
  const left = await service.abandoned();
  const still = left.length === 0 ? "" : ` Still open from an earlier run: ${left.join(", ")}.`;
  if (where !== undefined) return `${where} ${open}${still}`;
  const program = findChromium();
  return program === undefined
    ? "Chromium or Chrome is not on PATH, and your browser is not connected."
    : `The agent's browser: ${program}. ${open}${still}`;
}
