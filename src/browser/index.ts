/** The door for whatever drives a browser, `hermes-agent/browser`: a Chromium of its own behind the guarded way out, and its pages. */
export * from "./browser.ts";
export * from "./chromium.ts";
export { socketAddress } from "./connect.ts";
export * from "./page.ts";
export type { ServiceBrowser } from "./service.ts";
