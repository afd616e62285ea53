import { CHROMIUMS } from "hermes-agent/browser";
import type { Egress, RiskContext, UntrustedSource } from "hermes-agent/plugin";
import type { BrowserService } from "./browser-service.ts";

/** What the browser's tools share. */
export interface ToolPorts {
  /** Loads the browser's code on the first call. */
  load(): Promise<BrowserService>;
  /** The page that the task shows, as the source of its text. */
  words(call: RiskContext): UntrustedSource;
  /** The page's owner can read it at once. */
  sends(what: string, call: RiskContext): readonly Egress[];
  /** Text for a field: the site that can read it is that of the field's own frame. */
  fills(ref: string, text: string, call: RiskContext): Promise<readonly Egress[]>;
  /** A click or a key: the page decides which of its addresses is requested. */
  uses(call: RiskContext, ref?: string): Promise<readonly Egress[]>;
}

export const COMMON = {
  toolset: "browser",
  emoji: "🌐",
  needsOneOf: [...CHROMIUMS, "setting:browser.cdp_url", "slot:browser"],
  refusal: { success: false },
  timeoutMs: 90_000,
} as const;
