import type { App } from "../../contract/services/app.ts";
import { UserError } from "../../contract/common/failure.ts";
import { asTyped } from "../shared/process/called-as.ts";
import { EXIT } from "../shared/process/exit-code.ts";
import type { Io } from "../shared/process/io.ts";
import type { DashboardCommand } from "../shared/process/surface-command.ts";
import { onInterrupt } from "../shared/process/on-interrupt.ts";
import { isLoopbackHost } from "../shared/http/listen.ts";

/** What is wrong with the words of the line is told before an agent starts. @throws {UserError} */
export function checkDashboardCommand({ host, port, insecure }: DashboardCommand): void {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UserError(`--port must be a whole number from 0 to 65535, not "${port}".`, { exitCode: EXIT.usage });
  if (isLoopbackHost(host) || insecure === true) return;
  throw new UserError(
    `${host} is not this machine alone: whoever reaches that address could read what passes, the link to everything you may do included.`,
    {
      hint: asTyped(
        "Without --host only this machine reaches it; an SSH tunnel (ssh -L 9119:127.0.0.1:9119 HOST) brings it elsewhere. If you mean it: --insecure.",
      ),
      exitCode: EXIT.usage,
    },
  );
}

/** `hermes dashboard`: serves the pages until it is stopped. */
export async function runDashboard(app: App, command: DashboardCommand, io: Io): Promise<number> {
  const { openDashboard } = await import("./dashboard-server.ts");
  const stop = Promise.withResolvers<void>();
  await using dashboard = await openDashboard(app, {
    host: command.host,
    port: Number(command.port),
    chat: command.tui === true ? chatOf(app) : undefined,
  });
  if (!isLoopbackHost(command.host))
    io.note(
      io.style(
        "yellow",
        `Whoever reaches ${command.host} can read what passes between the dashboard and its pages: there is no TLS. The link is asked for all the same.\n`,
      ),
    );
  io.note("The dashboard is at\n");
  io.out(`${dashboard.link}\n`);
  io.note("Whoever has this link may do there what you may. Ctrl-C ends it.\n");
  using _interrupts = onInterrupt(io, async () => stop.resolve());
  await using page =
    command.open && io.interactive
      ? await (await import("./open-browser.ts")).openBrowser(dashboard.link, app.home)
      : undefined;
  // What led there is of no use any more.
  void dashboard.entered.then(() => page?.[Symbol.asyncDispose]());
  await stop.promise;
  return EXIT.ok;
}

/** This very program, for the same profile. */
function chatOf({ profile }: App): readonly string[] {
  return [
    process.execPath,
    ...process.execArgv,
    process.argv[1] ?? "",
    ...(profile === "default" ? [] : ["--profile", profile]),
    "chat",
    "--tui",
  ];
}
