import type { CliIo } from "../../contract/conversation/command.ts";
import type { Ticker } from "../shared/gateway/ticker.ts";

const HOUR_MS = 3_600_000;

/** Runs the `hourly` functions of plugin commands. A failure does not stop the others. */
export const housekeeping: Ticker = {
  name: "Housekeeping",
  everyMs: HOUR_MS,
  async tick(app, signal) {
    const io: CliIo = { out: () => {}, error: (text) => app.log.warning(text.trim()), interactive: false, signal };
    for (const command of app.cliCommands.list()) {
      if (command.hourly === undefined || signal.aborted) continue;
      try {
        await command.run(command.hourly as never, io);
      } catch (cause) {
        app.log.error(`The hourly task of "${command.name}" failed.`, { cause });
      }
    }
  },
};
