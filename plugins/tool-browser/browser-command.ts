import { findChromium, socketAddress } from "hermes-agent/browser";
import type { BrowserService } from "./browser-service.ts";

const DEFAULT = "http://127.0.0.1:9222";

/**
 * `/browser`: from here on this run drives the person's browser, or the agent's own again.
 * @param offer Offers the tools that only a person's browser has, or no longer.
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
        ? "No browser of yours is connected."
        : "Your browser is named by browser.cdp_url: hermes config unset browser.cdp_url";
    service.connected = undefined;
    offer(false);
    await service.close();
    return "Disconnected. The next page opens in a browser of the agent's own.";
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
  return `Connected to your browser at ${endpoint}, for this run. The next page opens in a tab of its own there, with that browser's cookies; browser_cdp and browser_dialog are offered after /new.`;
}

async function status(service: BrowserService): Promise<string> {
  const open = `${service.open} ${service.open === 1 ? "task has" : "tasks have"} a page open.`;
  if (service.endpoint !== undefined)
    return `Your browser at ${service.endpoint}${service.connected === undefined ? " (browser.cdp_url)" : ", for this run"}. ${open}`;
  const where = await service.where();
  const left = await service.abandoned();
  const still = left.length === 0 ? "" : ` Left open by an earlier run, and not ended yet: ${left.join(", ")}.`;
  if (where !== undefined) return `${where} ${open}${still}`;
  const program = findChromium();
  return program === undefined
    ? "There is no Chromium or Chrome on PATH, and no browser of yours is connected."
    : `A browser of the agent's own: ${program}. ${open}${still}`;
}
