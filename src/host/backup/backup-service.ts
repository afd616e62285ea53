import { resolve } from "node:path";
import type { BackupService } from "../../contract/services/backup-service.ts";
import { createBackup, type CreatePorts } from "./create-backup.ts";
import { verifyBackup } from "./read-backup.ts";
import { restoreBackup, type RestorePorts } from "./restore-backup.ts";

export function createBackupService(ports: CreatePorts & RestorePorts): BackupService {
  return {
    create: ({ file, withSecrets = false }) => createBackup({ file, withSecrets, withProfiles: true }, ports),
    verify: (file) => verifyBackup(resolve(file)),
    restore: (file, { force = false }) => restoreBackup(resolve(file), { force }, ports),
  };
}
