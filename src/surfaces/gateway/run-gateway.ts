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
import { platformPlans } from "../shared/gateway/platform-plans.ts";
import { servingText, type ServedLine } from "../shared/gateway/served-line.ts";
import { runTickers } from "./tickers.ts";

/** A supervisor starts a process again that ends with this. */
const RESTART = 75;
const SEAT_TRIES = 20;
const RETRY_MS = 2_000;

/** `hermes gateway run`: serves chats in the foreground until it is told to stop. */
export async function runGateway(app: App, io: Io, openApiServer: OpenApiServer): Promise<number> {
  const service = await app.gateway();
  using _seat = await takeSeat(service, app.home);
  const plans = await platformPlans(app, service);
  const ready = plans.filter(({ state }) => state === "ready");
  const programs = apiPlan(app, service);
  for (const { label, lacks } of [...plans, programs].filter(({ state }) => state === "lacking"))
    io.note(io.style("yellow", `${label} is not served: ${lacks.join("; ")}.\n`));
  if (ready.length === 0 && programs.state !== "ready")
    throw new UserError("No chat platform is set up.", {
      hint: asTyped(
        `\`hermes gateway status\` says what each needs${plans.length === 0 ? "; a platform comes with a plugin, and none is enabled" : ""}.`,
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
  const gateway = new Gateway({
    app,
    service,
    lanes: await service.lanes(),
    cwd,
    plans: ready,
    timing: { connectMs: seconds(app, "gateway.platform_connect_timeout", 30), retryMs: RETRY_MS },
    changed() {
      if (state === "running" || state === "degraded") state = live();
      note();
    },
  });
  // One plugin's mistake must not end the chats of all others.
  process.setUncaughtExceptionCaptureCallback((cause) =>
    app.log.error("Something threw outside of every call; the gateway goes on.", { cause }),
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
          `Whoever reaches ${programs.settings.host} can read what passes between the API server and programs, the key with it: there is no TLS.\n`,
        ),
      );
    const ended = new AbortController();
    const ticking = runTickers(app, ended.signal);
    ticking.catch((cause: unknown) => app.log.error("Work beside the chats could not be begun.", { cause }));
    const wanted = await signals.wanted;
    ended.abort();
    state = "draining";
    note();
    io.note(`Stopping…${gateway.busyChats > 0 ? " (waiting for what runs; again to end at once)" : ""}\n`);
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

/** @throws {UserError} that names the process which has it. */
async function takeSeat(service: GatewayService, home: string): Promise<Disposable> {
  for (let tries = 1; ; tries++) {
    const seat = await service.takeSeat();
    if (seat !== undefined) return seat;
    // Somebody who only looks whether it is taken has it for a moment.
    if (tries === SEAT_TRIES) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const record = readGatewayRecord(home);
  throw new UserError(
    `A gateway runs already for this home${record === undefined ? "" : ` (process ${record.pid})`}.`,
    { hint: "One home has one gateway. `hermes gateway stop` ends it; `hermes gateway status` shows it." },
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
