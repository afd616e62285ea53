import type { Notice } from "../../../contract/common/notice.ts";
import type { App } from "../../../contract/services/app.ts";
import { asTyped } from "./called-as.ts";
import type { Io } from "./io.ts";

/** Notices that this process has printed. */
const printed = new WeakSet<Notice>();

/** Prints each notice once. @param quiet Shows only warnings and errors. */
export function reportNotices(io: Io, notices: readonly Notice[], quiet = false): void {
  for (const notice of notices) {
    const { level, text, hint } = notice;
    if (printed.has(notice) || (quiet && level === "info")) continue;
    printed.add(notice);
    io.note(
      asTyped(`${io.style(level === "info" ? "dim" : "yellow", text)}\n${hint === undefined ? "" : `  ${hint}\n`}`),
    );
  }
}

/** The notices that are new: the first session opens the store, which may need a repair. */
export function noticesSince(app: App, known: readonly Notice[]): readonly Notice[] {
  return app.notices.filter(({ text }) => !known.some((notice) => notice.text === text));
}

/** Reloads the settings before the next turn. Returns their notices and those of the last turn. */
export async function rereadNotices(app: App, known: readonly Notice[]): Promise<readonly Notice[]> {
  const news = [...(await app.config.refresh()), ...noticesSince(app, known)];
  return news.filter(({ text }, at) => news.findIndex((one) => one.text === text) === at);
}
