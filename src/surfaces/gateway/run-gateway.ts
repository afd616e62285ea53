import type { App } from "../../contract/services/app.ts";
import type { GatewayService } from "../../contract/services/gateway-service.ts";
import { UserError } from "../../contract/common/failure.ts";
import { asTyped } from "../shared/process/called-as.ts";
import { EXIT } from "../shared/process/exit-code.ts";
import type { Io } from "../shared/process/io.ts";
import { onHangup } from "../shared/process/on-hangup.ts";
import { isLoopbackHost } from "../shared/http/listen.ts";
import { ApiLine, type OpenApiServer } from "./platforms/api-line.ts";
import { apiPlan } from "../shared/gateway/api-plan.ts";
import { readGatewayRecord, writeGatewayRecord, type GatewayRecord } from "../shared/gateway/gateway-files.ts";
import { Gateway } from "./gateway.ts";
import { unusableProviders } from "../shared/gateway/unusable.ts";
import { platformPlans } from "../shared/gateway/platform-plans.ts";
import { servingText, type ServedLine } from "../shared/gateway/served-line.ts";
import { webhookListener } from "../../platform/webhook-listener.ts";
import { runTickers } from "./tickers.ts";

/** Exit code that makes a service manager restart the process. */
const RESTART = 75;
const SEAT_TRIES = 20;
const RETRY_MS = 2_000;

/** `hermes gateway run`: serves chats in the foreground until a signal stops it. */
export async function runGateway(app: App, io: Io, openApiServer: OpenApiServer): Promise<number> {
  const service = await app.gateway();
  using _seat = await takeSeat(service, app.home);
  const plans = await platformPlans(app, service);
  const ready = plans.filter(({ state }) => state === "ready");
  const programs = apiPlan(app, service);
  for (const { label, lacks, help } of [...plans, programs].filter(({ state }) => state === "lacking"))
    io.note(
      io.style(
        "yellow",
        `${label} is not served: ${lacks.join("; ")}.${help === undefined ? "" : ` ${asTyped(help)}`}\n`,
      ),
    );
  for (const { what, lack, hint } of await unusableProviders(app, "start"))
    io.note(io.style("yellow", `The ${what} is not used: ${lack}. ${asTyped(hint)}\n`));
  if (ready.length === 0 && programs.state !== "ready")
    throw new UserError("No chat platform is set up.", {
      hint: asTyped(
        `\`hermes gateway status\` lists what each platform needs${plans.length === 0 ? "; platforms come with plugins, and none is enabled" : ""}.`,
      ),
      exitCode: EXIT.config,
    });

  const startedAt = Date.now();
  const cwd = process.cwd();
  let state: GatewayRecord["state"] = "starting";
  const api = programs.state === "ready" ? new ApiLine(programs, openApiServer) : undefined;
  const lines = (): readonly ServedLine[] => [...gateway.lines, ...(api === undefined ? [] : [api])];
  const note = (): void => writeGatewayRecord(app.home, recordOf({ startedAt, state, lines: lines() }));
  const live = (): GatewayRecord["state"] =>
    lines().some((line) => line.state === "connected") ? "running" : "degraded";
  const lanes = await service.lanes();
  await using webhooks = webhookListener({
    host: String(app.config.get("gateway.webhooks.host") ?? "127.0.0.1"),
    port: Number(app.config.get("gateway.webhooks.port") ?? 8644),
    log: app.log,
    delivered: (route, id) => lanes.delivered(route, id),
    noteDelivery: (route, id, reply) => lanes.noteDelivery(route, id, reply),
  });
  const gateway = new Gateway({
    app,
    webhooks,
    service,
    lanes,
    cwd,
    plans: ready,
    timing: { connectMs: seconds(app, "gateway.platform_connect_timeout", 30), retryMs: RETRY_MS },
    changed() {
      if (state === "running" || state === "degraded") state = live();
      note();
    },
  });
  // A bug in one plugin must not end all chats.
  process.setUncaughtExceptionCaptureCallback((cause) =>
    app.log.error("Uncaught exception; the gateway continues.", { cause }),
  );
  try {
    using signals = stopSignals();
    note();
    await api?.start({ app, service, cwd }, ready.length === 0);
    await gateway.start();
    state = live();
    note();
    io.note(`${servingText(lines())}\n`);
    if (api?.state === "connected" && !isLoopbackHost(programs.settings.host))
      io.note(
        io.style(
          "yellow",
          `Warning: the API server at ${programs.settings.host} has no TLS. Anyone on that network can read its traffic, including the key.\n`,
        ),
      );
    const ended = new AbortController();
    const ticking = runTickers(app, ended.signal);
    ticking.catch((cause: unknown) => app.log.error("Cannot start the background tasks of the gateway.", { cause }));
    const wanted = await signals.wanted;
    ended.abort();
    state = "draining";
    note();
    io.note(`Stopping…${gateway.busyChats > 0 ? " (waiting for running turns; press again to stop at once)" : ""}\n`);
    const drainMs = seconds(app, "agent.restart_drain_timeout", 60);
    await Promise.all([gateway.stop(drainMs), api?.stop(drainMs)]);
    await Promise.allSettled([ticking]);
    return wanted === "restart" ? RESTART : EXIT.ok;
  } finally {
    state = "stopped";
    note();
    process.setUncaughtExceptionCaptureCallback(null);
  }
}

/** @throws {UserError} naming the process that holds the lease. */
async function takeSeat(service: GatewayService, home: string): Promise<Disposable> {
  for (let tries = 1; ; tries++) {
    const seat = await service.takeSeat();
    if (seat !== undefined) return seat;
    // A process that only checks the lease holds it for a moment.
    if (tries === SEAT_TRIES) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const record = readGatewayRecord(home);
  throw new UserError(
    `A gateway is already running for this home${record === undefined ? "" : ` (process ${record.pid})`}.`,
    { hint: "Stop it with `hermes gateway stop`, or see `hermes gateway status`." },
  );
}

function stopSignals(): Disposable & { readonly wanted: Promise<"stop" | "restart"> } {
  const wanted = Promise.withResolvers<"stop" | "restart">();
  let asked = 0;
  const stop = (): void => {
    asked++;
    if (asked > 1) process.exit(EXIT.interrupted);
    wanted.resolve("stop");
  };
  const restart = (): void => wanted.resolve("restart");
  process.on("SIGTERM", stop).on("SIGINT", stop).on("SIGUSR1", restart);
  const hangup = onHangup(stop);
  return {
    wanted: wanted.promise,
    [Symbol.dispose]() {
      process.off("SIGTERM", stop).off("SIGINT", stop).off("SIGUSR1", restart);
      hangup[Symbol.dispose]();
    },
  };
}

function recordOf({
  startedAt,
  state,
  lines,
}: {
  readonly startedAt: number;
  readonly state: GatewayRecord["state"];
  readonly lines: readonly ServedLine[];
}): GatewayRecord {
  const platforms = Object.fromEntries(
    lines.map((line) => [line.plan.name, { state: line.state, problem: line.problem }]),
  );
  return { pid: process.pid, startedAt, state, platforms };
}

function seconds({ config }: Pick<App, "config">, path: string, otherwise: number): number {
  const value = config.get(path);
  return (typeof value === "number" && value >= 0 ? value : otherwise) * 1000;
}
