import type { Command } from "commander";
import type { On } from "./call.ts";

/** `hermes gateway …`, `hermes pairing …` and `hermes send` */
export function addGatewayCommandTree(program: Command, on: On): void {
  const gateway = program.command("gateway").description("Connect the agent to chat platforms");
  gateway
    .command("run", { isDefault: true })
    .description("Run the gateway in the foreground until it is stopped")
    .action(on(async (call) => (await import("../commands/gateway.ts")).runGatewayHere(call)));
  gateway
    .command("status")
    .description("Show whether the gateway runs, and what each platform needs")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/gateway.ts")).showGateway(call, options)));
  gateway
    .command("install")
    .description("Install the gateway as a systemd user service")
    .action(on(async (call) => (await import("../commands/gateway.ts")).installGateway(call)));
  gateway
    .command("uninstall")
    .description("Stop the gateway service and remove it from systemd")
    .action(on(async (call) => (await import("../commands/gateway.ts")).uninstallGateway(call)));
  for (const [verb, does] of [
    ["start", "Start the installed gateway service"],
    ["stop", "Stop the service, or a gateway in the foreground, after running turns finish"],
    ["restart", "Restart the installed gateway service"],
  ] as const) {
    gateway
      .command(verb)
      .description(does)
      .action(on(async (call) => (await import("../commands/gateway.ts")).reportGateway(call, verb)));
  }
  const pairing = program.command("pairing").description("Give chat users access with a pairing code");
  pairing
    .command("list", { isDefault: true })
    .description("List pending pairing requests and users with access")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/gateway.ts")).listPairings(call, options)));
  pairing
    .command("approve <platform> <code>")
    .description("Approve the pairing request with this code")
    .action(
      on(async (call, platform, code) => (await import("../commands/gateway.ts")).approvePairing(call, platform, code)),
    );
  pairing
    .command("revoke <platform> <user>")
    .description("Revoke a user's access")
    .action(
      on(async (call, platform, user) => (await import("../commands/gateway.ts")).revokePairing(call, platform, user)),
    );
  pairing
    .command("clear-pending")
    .description("Delete all pending pairing requests")
    .action(on(async (call) => (await import("../commands/gateway.ts")).clearPairings(call)));
  program
    .command("send [message]")
    .description("Send a message to a chat, without the agent; reads the text from stdin if none is given")
    .option("-t, --to <target>", "PLATFORM (its home channel), PLATFORM:CHAT or PLATFORM:CHAT:THREAD")
    .option("-f, --file <path>", "Read the text from this file; `-` reads it from stdin")
    .option("-s, --subject <line>", "Put a line above the text")
    .option("-l, --list", "List the targets, or those of a platform: `--list telegram`")
    .option("-q, --quiet", "Print nothing if it succeeds")
    .option("--wait <seconds>", "How long to wait for a running gateway to send it", "30")
    .option("--json", "Print JSON")
    .action(on(async (call, message, options) => (await import("../commands/send.ts")).send(call, message, options)));
}
