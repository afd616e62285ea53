import { MIGRATION_SOURCES } from "../../../../contract/services/migration-service.ts";
import type { RestoreReport } from "../../../../contract/services/backup-service.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import type { Call } from "../../program/call.ts";
import { leftOutText, megabytes } from "./backup.ts";

export interface ImportOptions {
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  /** For another agent. */
  readonly source?: string;
  readonly withSecrets?: boolean;
  readonly yes?: boolean;
}

/** `hermes import FILE`: restores a backup into this home; `hermes import openclaw`: imports from another agent. */
export async function importInto(call: Call, file: string, options: ImportOptions): Promise<number | void> {
  const source = MIGRATION_SOURCES.find((name) => name === file);
  // A file of that name is written as ./codex.
  if (source === undefined) return importBackup(call, file, options);
  const { migrate } = await import("./migrate.ts");
  return migrate(call, source, { ...options, overwrite: options.force });
}

async function importBackup(call: Call, file: string, options: ImportOptions): Promise<void> {
  const { io, open } = call;
  const app = await open("for-repair");
  const backups = await app.backups();
  if (options.dryRun === true) {
    const contents = await backups.verify(file);
    if (options.json) return io.out(`${JSON.stringify(contents, null, 2)}\n`);
    io.out(
      `${file} is complete: ${contents.files} files, ${megabytes(contents.bytes)} unpacked${contents.createdAt === undefined ? "" : `, made ${contents.createdAt} by version ${contents.version}, profile ${contents.profile}`}, ${contents.secrets ? "with" : "without"} keys.\n`,
    );
    return io.note(`${leftOutText(contents.leftOut)}Nothing was changed.\n`);
  }
  const report = await backups.restore(file, { force: options.force });
  if (options.json) return io.out(`${JSON.stringify(report, null, 2)}\n`);
  io.out(
    `Restored ${report.restored.length} files into ${app.home}${report.unchanged === 0 ? "" : `; ${report.unchanged} were the same already`}.\n`,
  );
  io.note(asTyped(nextSteps(report)));
}

function nextSteps({ contents, replacedIn, originalStore }: RestoreReport): string {
  return [
    ...(replacedIn === undefined ? [] : [`The replaced files are in ${replacedIn}.`]),
    ...(originalStore === undefined
      ? []
      : [
          `The original's sessions are in ${originalStore}. Take them over with: hermes sessions import ${originalStore}`,
        ]),
    ...(contents.secrets
      ? []
      : [
          "The backup contains no keys and sign-ins. `hermes setup` asks for them; `hermes status` shows what is missing.",
        ]),
    "`hermes doctor` checks the installation.",
    "",
  ].join("\n");
}
