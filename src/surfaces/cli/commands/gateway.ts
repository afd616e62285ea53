import type { App } from "../../../contract/services/app.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { asTyped } from "../../shared/process/called-as.ts";
import type { Call } from "../program/call.ts";
import { EXIT } from "../../shared/process/exit-code.ts";

/** `hermes gateway` and `hermes pairing`. */

export async function runGatewayHere({ io, open, surfaces }: Call): Promise<number> {
  const { runGateway } = await surfaces.gateway();
  return runGateway(await open(), io);
}

export async function showGateway({ io, open }: Call, { json }: { readonly json?: boolean }): Promise<number> {
  const { gatewayStatus, statusText } = await import("../../shared/gateway/gateway-status.ts");
  const status = await gatewayStatus(await open());
  io.out(json === true ? `${JSON.stringify(status, undefined, 2)}\n` : `${statusText(status)}\n`);
  return EXIT.ok;
}

export async function installGateway({ io, open }: Call): Promise<void> {
  const service = await serviceOf(open);
  await service.install(Number((await open()).config.get("agent.restart_drain_timeout") ?? 0) * 1000);
  io.out(
    asTyped(
      `Installed ${service.file}. Start it with \`hermes gateway start\`. To keep it running after you log out: loginctl enable-linger\n`,
    ),
  );
}

export async function uninstallGateway({ io, open }: Call): Promise<void> {
  const service = await serviceOf(open);
  await service.uninstall();
  io.out(`Stopped and removed ${service.name}.\n`);
}

/**
 * `start` and `restart` work only with the service; `stop` also stops a gateway in the foreground of another
 * terminal.
 */
export async function reportGateway({ io, open }: Call, verb: "start" | "stop" | "restart"): Promise<void> {
  const service = await serviceOf(open);
  if (verb !== "stop" && !service.installed) await refuseInForeground(await open(), verb);
  if (verb !== "stop" || service.installed) {
    await service.report(verb);
    io.out(`${{ start: "Started", stop: "Stopped", restart: "Restarted" }[verb]}: ${service.name}\n`);
  }
  if (verb !== "stop") return;
  const { stopRunning } = await import("../../shared/gateway/stop-running.ts");
  const pid = await stopRunning(await open(), io.signal);
  if (pid !== undefined)
    io.out(`Stopped (process ${pid})${service.installed ? ", which ran in addition to the service" : ""}.\n`);
  else if (!service.installed) io.out("The gateway is not running.\n");
}

/** @throws {UserError} if a gateway runs without a service: only where it was started can it be started again. */
async function refuseInForeground(app: App, verb: "start" | "restart"): Promise<void> {
  const seat = await (await app.gateway()).takeSeat();
  seat?.[Symbol.dispose]();
  if (seat !== undefined) return;
  const { readGatewayRecord } = await import("../../shared/gateway/gateway-files.ts");
  const pid = readGatewayRecord(app.home)?.pid;
  const which = pid === undefined ? "" : ` (process ${pid})`;
  throw new UserError(
    verb === "start"
      ? `The gateway is running already, in the foreground${which}.`
      : `The gateway runs in the foreground${which}, not as a service, so it cannot be restarted from here.`,
    {
      hint: asTyped(
        "Stop it with `hermes gateway stop`, then start it again where it ran: `hermes gateway`. `hermes gateway install` makes it a service.",
      ),
    },
  );
}

async function serviceOf(open: Call["open"]) {
  const [{ GatewayService }, app] = await Promise.all([import("../../shared/gateway/service.ts"), open()]);
  return new GatewayService(app);
}

export async function listPairings({ io, open }: Call, { json }: { readonly json?: boolean }): Promise<void> {
  const { pending, approved } = (await pairingOf(open)).list();
  if (json === true) return io.out(`${JSON.stringify({ pending, approved }, undefined, 2)}\n`);
  const who = ({ userId, userName }: { readonly userId: string; readonly userName: string }): string =>
    userName === "" ? userId : `${userId} (${userName})`;
  const minutes = (at: number): number => Math.max(0, Math.round((Date.now() - at) / 60_000));
  const lines = [
    ...pending.map((one) => `pending  ${one.platform}  ${who(one)}  code ${one.digest}…, ${minutes(one.at)} min ago`),
    ...approved.map((one) => `access   ${one.platform}  ${who(one)}`),
  ];
  io.out(
    lines.length === 0 ? "No pending pairing requests, and no users with access by a code.\n" : `${lines.join("\n")}\n`,
  );
}

export async function approvePairing({ io, open }: Call, platform: string, code: string): Promise<void> {
  const approved = (await pairingOf(open)).approve(platform, code);
  if (approved === "locked") throw new UserError(`Too many wrong codes for ${platform}. Try again in an hour.`);
  if (approved === "unknown")
    throw new UserError(`No pending pairing request on ${platform} has the code ${code}.`, {
      hint: asTyped("A code is valid for one hour. `hermes pairing list` shows the pending requests."),
    });
  io.out(
    `${approved.userName === "" ? approved.userId : `${approved.userId} (${approved.userName})`} now has access to the agent on ${platform}.\n`,
  );
}

export async function revokePairing({ io, open }: Call, platform: string, user: string): Promise<void> {
  if (!(await pairingOf(open)).revoke(platform, user))
    throw new UserError(`${user} has no access by a code on ${platform}.`, {
      hint: asTyped(
        "`hermes pairing list` shows users with access. To revoke a user who is listed in .env, edit .env.",
      ),
    });
  io.out(`${user} no longer has access on ${platform}.\n`);
}

export async function clearPairings({ io, open }: Call): Promise<void> {
  io.out(`${(await pairingOf(open)).clearPending()} pending request(s) deleted.\n`);
}

async function pairingOf(open: Call["open"]) {
  const [{ Pairing }, { home }] = await Promise.all([import("../../shared/gateway/pairing.ts"), open()]);
  return new Pairing(home);
}
