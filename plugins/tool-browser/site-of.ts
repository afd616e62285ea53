import type { Page } from "hermes-agent/browser";

const LONGEST_MS = 2_000;
const HOST = `function () { return this.ownerDocument.location.host; }`;

/** Host of the frame that an element belongs to; `undefined` for an unknown element or a frame without an address. */
export async function siteOf(page: Page, node: () => number): Promise<string | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), LONGEST_MS);
  try {
    const host = await Promise.race([page.callOn(node(), HOST), late.promise]);
    return typeof host === "string" && host !== "" ? host : undefined;
  } catch {
    return undefined; // The call itself reports what is wrong with the reference.
  } finally {
    clearTimeout(timer);
  }
}
