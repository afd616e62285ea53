import type { App } from "../../../contract/services/app.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { readGatewayRecord } from "./gateway-files.ts";

const LOOK_MS = 100;
/** Time beyond the limit for running turns. */
const GRACE_MS = 60_000;

/** Stops the gateway of this home and waits for its end. @returns its process id; `undefined`: none was running. */
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
    throw new UserError("A gateway is running, but its process id is not known yet.", {
      hint: "It is probably starting. Try again.",
    });
  process.kill(pid, "SIGTERM");
  const drain = app.config.get("agent.restart_drain_timeout");
  const until = performance.now() + (typeof drain === "number" ? drain * 1000 : 0) + GRACE_MS;
  while (!(await free())) {
    if (signal.aborted || performance.now() > until)
      throw new UserError(`The gateway (process ${pid}) did not stop in time.`, {
        hint: `Kill it with: kill -9 ${pid}. It does not lose acknowledged messages.`,
      });
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return pid;
}
