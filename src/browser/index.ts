/**
 * The entry point `hermes-agent/browser` for code that drives a browser: the agent's Chromium behind the guard, and its
 * pages.
 */
export * from "./browser.ts";
export * from "./chromium.ts";
export { socketAddress } from "./connect.ts";
export * from "./page.ts";
export type { ServiceBrowser } from "./service.ts";
