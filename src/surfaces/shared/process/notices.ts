import type { Notice } from "../../../contract/common/notice.ts";
import type { App } from "../../../contract/services/app.ts";
import { asTyped } from "./called-as.ts";
import type { Io } from "./io.ts";

/** @param quiet Only what is wrong. */
export function reportNotices(io: Io, notices: readonly Notice[], quiet = false): void {
  for (const { level, text, hint } of notices)
    if (!quiet || level !== "info")
      io.note(
        asTyped(`${io.style(level === "info" ? "dim" : "yellow", text)}\n${hint === undefined ? "" : `  ${hint}\n`}`),
      );
}

/** What came up since: the store is opened with the first session, and may have had to be mended. */
export function noticesSince(app: App, message: readonly Notice[]): readonly Notice[] {
  return app.notices.filter(({ text }) => !message.some((notice) => notice.text === text));
}

/** Before the next turn: what the settings say by now, and what came up in or behind the last one. */
export async function rereadNotices(app: App, known: readonly Notice[]): Promise<readonly Notice[]> {
  const news = [...(await app.config.refresh()), ...noticesSince(app, known)];
  return news.filter(({ text }, at) => news.findIndex((one) => one.text === text) === at);
}
