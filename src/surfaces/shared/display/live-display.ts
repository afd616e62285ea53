import type { App } from "../../../contract/services/app.ts";
import { displayOf, type Display } from "./display.ts";

/** The display of a terminal session: the settings, plus what commands changed for this session. */
export interface LiveDisplay {
  readonly get: () => Display;
  set(change: Partial<Display>): void;
  /** Call after the settings were reloaded. */
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
