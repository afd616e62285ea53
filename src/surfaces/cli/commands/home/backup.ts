import { homedir } from "node:os";
import { join } from "node:path";
import type { LeftOut } from "../../../../contract/services/backup-service.ts";
import { UserError } from "../../../../contract/common/failure.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import type { Call } from "../../program/call.ts";

const SHOWN = 10;

/** `hermes backup`: the whole home in one file. */
export async function backup(
  { io, open }: Call,
  options: {
    readonly output?: string;
    readonly withSecrets?: boolean;
    readonly quick?: boolean;
    readonly label?: string;
    readonly json?: boolean;
  },
): Promise<void> {
  if (options.label !== undefined && options.quick !== true)
    throw new UserError("--label is only for --quick.", { exitCode: EXIT.usage });
  const app = await open("for-repair");
  if (options.quick === true) {
    const made = await app.snapshots.create(options.label);
    if (options.json) return io.out(`${JSON.stringify(made, null, 2)}\n`);
    return io.out(
      asTyped(`Made the snapshot ${made.id}. \`/snapshot restore ${made.id}\` in a session restores it.\n`),
    );
  }
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "").replace("T", "-");
  const backups = await app.backups();
  const report = await backups.create({
    file: options.output ?? join(homedir(), `hermes-backup-${stamp}.zip`),
    withSecrets: options.withSecrets,
  });
  if (options.json) return io.out(`${JSON.stringify(report, null, 2)}\n`);
  io.out(`Saved ${report.files} files (${megabytes(report.bytes)}) in ${report.file}, and checked them.\n`);
  io.note(leftOutText(report.leftOut));
  io.note(
    asTyped(
      report.secrets
        ? "It contains your keys and sign-ins: keep it private.\n"
        : "It contains no keys and sign-ins; --with-secrets adds them.\n",
    ),
  );
  io.note(asTyped(`Restore it with: hermes import ${report.file}\n`));
}

export function leftOutText(leftOut: readonly LeftOut[]): string {
  if (leftOut.length === 0) return "";
  const more = leftOut.length - SHOWN;
  const lines = leftOut.slice(0, SHOWN).map(({ path, why }) => `  ${path}: ${why}\n`);
  return `Left out:\n${lines.join("")}${more > 0 ? `  … and ${more} more (--json lists all)\n` : ""}`;
}

export function megabytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
