import type { Command } from "commander";
import type { On } from "./call.ts";

/** The commands that diagnose an installation: `hermes doctor`, `safety …`, `logs`. */
export function addDiagnosisCommandTree(program: Command, on: On): void {
  program
    .command("doctor")
    .description("Check the installation; changes nothing")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/doctor.ts")).doctor(call, options)));
  const safety = program
    .command("safety")
    .description("Print the safety verdict for commands, URLs, paths or skills: reads and writes JSON lines");
  for (const [kind, line, verdict] of SAFETY)
    safety
      .command(kind)
      .description(`Read lines of ${line} and print ${verdict}`)
      .action(on(async (call) => (await import("../commands/safety.ts")).safety(call, kind)));
  program
    .command("logs [name]")
    .description("Print the agent's log: agent or errors")
    .option("-n, --lines <n>", "Number of lines", "50")
    .option("--level <level>", "Minimum level: debug, info, warning or error")
    .option("-f, --follow", "Keep printing new lines")
    .option("--json", "Print JSON lines")
    .action(on(async (call, name, options) => (await import("../commands/logs.ts")).logs(call, name, options)));
}

/** The subcommands of `hermes safety`: name, input line, verdicts. */
const SAFETY = [
  ["commands", '{"id", "command", "cwd"?, "home"?}', "allow, ask or block"],
  ["urls", '{"id", "url", "resolve"?, "redirects"?, "secrets"?}', "allowed or blocked"],
  ["paths", '{"id", "path", "operation": "read" or "write", "workspace"}', "allowed or blocked"],
  ["skill", '{"id", "files": {path: text}} or {"id", "path": folder}', "safe, caution or dangerous"],
] as const;
