import { Option, type Command } from "commander";
import type { On } from "./call.ts";

/** `hermes sessions …` */
export function addSessionCommandTree(program: Command, on: On): void {
  const sessions = program.command("sessions").description("List, search, export and delete past sessions");
  sessions
    .command("list", { isDefault: true })
    .description("List sessions, newest first")
    .option("--json", "Print JSON")
    .option("--limit <n>", "Maximum number of results", "20")
    .option("--source <surface>", "List only sessions of this surface")
    .action(on(async (call, options) => (await import("../commands/sessions.ts")).listSessions(call, options)));
  sessions
    .command("show <session>")
    .description("Print a session's conversation")
    .option("--json", "Print its facts as JSON, one per line")
    .action(on(async (call, id, options) => (await import("../commands/sessions.ts")).showSession(call, id, options)));
  sessions
    .command("search <words...>")
    .description("Search the text of all sessions, newest first")
    .option("--json", "Print JSON")
    .option("--limit <n>", "Maximum number of results", "20")
    .action(
      on(async (call, words, options) =>
        (await import("../commands/sessions.ts")).searchSessions(call, words, options),
      ),
    );
  sessions
    .command("rename <session> <title...>")
    .description("Set a session's title")
    .action(on(async (call, id, title) => (await import("../commands/sessions.ts")).renameSession(call, id, title)));
  sessions
    .command("branch <session>")
    .description("Copy a session, to continue it separately")
    .option("--at <seq>", "Copy only up to this fact")
    .action(
      on(async (call, id, options) => (await import("../commands/sessions.ts")).branchSession(call, id, options)),
    );
  sessions
    .command("export <session> [file]")
    .description("Export a session as Markdown or JSON lines")
    .addOption(
      new Option("--format <format>", "Output format; by default from the file extension, or md").choices([
        "md",
        "jsonl",
      ]),
    )
    .action(
      on(async (call, id, file, options) =>
        (await import("../commands/sessions.ts")).exportSession(call, id, file, options),
      ),
    );
  sessions
    .command("import [file]")
    .description("Import sessions from the Python original; does not change its database")
    .action(on(async (call, file) => (await import("../commands/sessions.ts")).importSessions(call, file)));
  sessions
    .command("delete <session>")
    .description("Delete a session permanently")
    .option("-y, --yes", "Do not ask for confirmation")
    .action(
      on(async (call, id, options) => (await import("../commands/sessions.ts")).deleteSession(call, id, options)),
    );
  sessions
    .command("prune")
    .description("Delete old sessions")
    .option("--older-than <days>", "Days since the last use", "90")
    .option("--dry-run", "List the sessions without deleting them")
    .option("-y, --yes", "Do not ask for confirmation")
    .action(on(async (call, options) => (await import("../commands/sessions.ts")).pruneSessions(call, options)));
}
