import type { App } from "../../../contract/services/app.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { readGatewayRecord } from "./gateway-files.ts";

const LOOK_MS = 100;
/** Beyond what turns may still take. */
const GRACE_MS = 60_000;

/** Stops the gateway of this home and waits until it is gone. @returns its process; `undefined`: none ran. */
export async function stopRunning(app: App, signal: AbortSignal): Promise<number | undefined> {
  const service = await app.gateway();
  const free = async (): Promise<boolean> => {
    const seat = await service.takeSeat();
    seat?.[Symbol.dispose]();
    return seat !== undefined;
  };
  if (await free()) return undefined;
  const pid = readGatewayRecord(app.home)?.pid;
  if (pid === undefined)
    throw new UserError("A gateway runs, and does not say as which process.", {
      hint: "It is only just starting; try again.",
    });
  process.kill(pid, "SIGTERM");
  const drain = app.config.get("agent.restart_drain_timeout");
  const until = performance.now() + (typeof drain === "number" ? drain * 1000 : 0) + GRACE_MS;
  while (!(await free())) {
    if (signal.aborted || performance.now() > until)
      throw new UserError(`The gateway (process ${pid}) was told to stop and still runs.`, {
        hint: `kill -9 ${pid} ends it at once; nothing that was acknowledged is lost.`,
      });
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return pid;
}
