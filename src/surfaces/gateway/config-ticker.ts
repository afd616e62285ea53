import type { App } from "../../contract/services/app.ts";
import { fingerprint } from "../../contract/common/fingerprint.ts";
import type { Notice } from "../../contract/common/notice.ts";
import type { Ticker } from "../shared/gateway/ticker.ts";

const MINUTE_MS = 60_000;

/** The mistake that was reported last, so that each is reported once. */
const reported = new WeakMap<App, string>();
const startedAt = Date.now();

/** Reports to the owner that config.yaml has a mistake, and which settings the gateway uses meanwhile. */
export const configTicker: Ticker = {
  name: "The check of config.yaml",
  everyMs: MINUTE_MS,
  async tick(app) {
    await app.config.refresh();
    const notice = app.config.check().inForce;
    if (notice === undefined) return void reported.delete(app);
    if (reported.get(app) === notice.text) return;
    reported.set(app, notice.text);
    app.log.error(notice.text);
    const service = await app.gateway();
    const key = `config:${startedAt}:${fingerprint(notice.text)}`;
    // Without a home channel, the owner's next message is answered with it.
    for (const to of service.destinations("all", null)) await service.deliver({ ...to, key }, configText(notice));
  },
};

/** The notice as a chat message. */
export function configText({ text, hint }: Notice): string {
  return `⚠ ${text}${hint === undefined ? "" : `\n${hint}`}`;
}
