import type { Command } from "commander";
import type { On } from "./call.ts";
import { addProfileCommandTree } from "./profile-tree.ts";

interface ClawOptions {
  readonly source?: string;
  readonly dryRun?: boolean;
  readonly overwrite?: boolean;
  readonly migrateSecrets?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** The commands that save, move and update a home: `hermes profile`, `backup`, `import` and `update`. */
export function addHomeCommandTree(program: Command, on: On): void {
  addProfileCommandTree(program, on);
  program
    .command("backup")
    .description("Save the whole home in one file, also while a gateway runs; without keys unless you ask for them")
    .option("-o, --output <file>", "Path of the new file (default: hermes-backup-TIME.zip in your home directory)")
    .option("--with-secrets", "Include keys and sign-ins (.env and others)")
    .option("-q, --quick", "Make a snapshot of settings, keys and conversations inside the home instead")
    .option("-l, --label <label>", "Label of the snapshot, with --quick")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/home/backup.ts")).backup(call, options)));
  program
    .command("import <file>")
    .description("Restore a backup of this version or of the original, or import from openclaw, claude-code or codex")
    .option("-f, --force", "Replace files that differ; the present ones move to the folder backups")
    .option("--dry-run", "Check the backup, or show what would be imported; change nothing")
    .option("--source <folder>", "Folder of the other agent (default: ~/.openclaw, ~/.claude or ~/.codex)")
    .option("--with-secrets", "Import the other agent's keys without a question")
    .option("-y, --yes", "Import from another agent without a question; keys only with --with-secrets")
    .option("--json", "Print JSON")
    .action(
      on(async (call, file, options) => (await import("../commands/home/import.ts")).importInto(call, file, options)),
    );
  program
    .command("claw")
    .description("Import from OpenClaw, under the original's name of the command")
    .command("migrate")
    .description("Import skills, MCP servers, memory, soul and rules of OpenClaw")
    .option("--source <folder>", "Folder of OpenClaw (default: ~/.openclaw)")
    .option("--dry-run", "Show what would be imported; change nothing")
    .option("--overwrite", "Replace what differs; the present files move to the folder backups")
    .option("--migrate-secrets", "Import the keys without a question")
    .option("-y, --yes", "Do not ask; keys only with --migrate-secrets")
    .option("--json", "Print JSON")
    .action(
      on(async (call, options: ClawOptions) =>
        (await import("../commands/home/migrate.ts")).migrate(call, "openclaw", {
          ...options,
          withSecrets: options.migrateSecrets,
        }),
      ),
    );
  program
    .command("update")
    .description("Update this program: show what is new, save the home, install, and take it back if it does not start")
    .option("--check", "Only show what is new; exit with 1 if there is something")
    .option("--rollback", "Return to the version before the last update")
    .option("--branch <name>", "Update a clone to this branch of its remote")
    .option("--from <version>", "Install this version of the package, or this packed file")
    .option("--backup", "Save the whole home first, not only settings, keys and conversations")
    .option("--no-backup", "Save nothing first")
    .option("-y, --yes", "Do not ask")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/home/update.ts")).update(call, options)));
}
