import type { App } from "../../contract/services/app.ts";
import { UserError } from "../../contract/common/failure.ts";
import { asTyped } from "../shared/process/called-as.ts";
import { EXIT } from "../shared/process/exit-code.ts";
import type { Io } from "../shared/process/io.ts";
import type { DashboardCommand } from "../shared/process/surface-command.ts";
import { onInterrupt } from "../shared/process/on-interrupt.ts";
import { isLoopbackHost } from "../shared/http/listen.ts";

/** Checks the arguments before an agent starts. @throws {UserError} */
export function checkDashboardCommand({ host, port, insecure }: DashboardCommand): void {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UserError(`--port must be a whole number from 0 to 65535, not "${port}".`, { exitCode: EXIT.usage });
  if (isLoopbackHost(host) || insecure === true) return;
  throw new UserError(
    `Refusing to listen on ${host}: other machines can reach it, and without TLS they could read the traffic, including the link with your rights.`,
    {
      hint: asTyped(
        "Omit --host and use an SSH tunnel from the other machine (ssh -L 9119:127.0.0.1:9119 HOST), or add --insecure to accept the risk.",
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
        `Warning: the dashboard on ${command.host} has no TLS. Others on the network can read its traffic. The link is still required.\n`,
      ),
    );
  io.note("The dashboard is at\n");
  io.out(`${dashboard.link}\n`);
  io.note("Keep this link secret: it gives your rights in the dashboard. Press Ctrl-C to stop.\n");
  using _interrupts = onInterrupt(io, async () => stop.resolve());
  await using page =
    command.open && io.interactive
      ? await (await import("./open-browser.ts")).openBrowser(dashboard.link, app.home)
      : undefined;
  // The redirect file is no longer needed.
  void dashboard.entered.then(() => page?.[Symbol.asyncDispose]());
  await stop.promise;
  return EXIT.ok;
}

/** The command line of this program with the same profile. */
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
