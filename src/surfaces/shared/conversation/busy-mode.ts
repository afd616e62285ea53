import type { App } from "../../../contract/services/app.ts";
import type { BusyMode } from "../commands/slash-host.ts";

/** What input does while a turn runs, until `/busy` says otherwise. */
export function busyModeOf({ config }: Pick<App, "config">, platform = "cli"): BusyMode {
  const mode = config.get(`display.platforms.${platform}.busy_input_mode`) ?? config.get("display.busy_input_mode");
  return mode === "queue" || mode === "steer" ? mode : "interrupt";
}
