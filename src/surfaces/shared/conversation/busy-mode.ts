import type { App } from "../../../contract/services/app.ts";
import type { BusyMode } from "../commands/slash-host.ts";

/** The initial mode for input during a turn; `/busy` changes it. */
export function busyModeOf({ config }: Pick<App, "config">, platform = "cli"): BusyMode {
  const mode = config.get(`display.platforms.${platform}.busy_input_mode`) ?? config.get("display.busy_input_mode");
  return mode === "queue" || mode === "steer" ? mode : "interrupt";
}
