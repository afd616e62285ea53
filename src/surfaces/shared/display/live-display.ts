import type { App } from "../../../contract/services/app.ts";
import { displayOf, type Display } from "./display.ts";

/** How a session on this machine's terminal is shown: as the settings say, and as commands changed it for this session. */
export interface LiveDisplay {
  readonly get: () => Display;
  set(change: Partial<Display>): void;
  /** The settings were read again. */
  reread(): void;
}

export function liveDisplay(app: Pick<App, "config">): LiveDisplay {
  let changed: Partial<Display> = {};
  let display = displayOf(app.config, "cli");
  return {
    get: () => display,
    set(change) {
      changed = { ...changed, ...change };
      display = { ...display, ...change };
    },
    reread() {
      display = { ...displayOf(app.config, "cli"), ...changed };
    },
  };
}
