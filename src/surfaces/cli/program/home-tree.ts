import type { Command } from "commander";
import type { On } from "./call.ts";

/** The commands that save, move and update a home: `hermes backup` and `import`. */
export function addHomeCommandTree(program: Command, on: On): void {
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
    .description("Restore a backup of this version or of the original into this home")
    .option("-f, --force", "Replace files that differ; the present ones move to the folder backups")
    .option("--dry-run", "Check the backup and show its contents; change nothing")
    .option("--json", "Print JSON")
    .action(
      on(async (call, file, options) => (await import("../commands/home/import.ts")).importBackup(call, file, options)),
    );
}
