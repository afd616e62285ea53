import type { LeftOut } from "../../contract/services/backup-service.ts";
import { UserError } from "../../contract/common/failure.ts";

/** The entry of a backup that describes the others; written last, when all digests are known. */
export const MANIFEST = "hermes-backup.json";
export const MANIFEST_FORMAT = 1;
export const MAX_MANIFEST_BYTES = 128 * 1024 * 1024;

export interface Manifest {
  readonly format: number;
  readonly createdAt: string;
  readonly version: string;
  readonly profile: string;
  readonly secrets: boolean;
  readonly files: readonly ManifestFile[];
  readonly leftOut: readonly LeftOut[];
}

export interface ManifestFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly mode: number;
  /** `store`: the sessions of Hermes; it is restored under the name that the new home has for it. */
  readonly kind: "file" | "database" | "store";
}

/** @throws {UserError} for a manifest of a newer version, or one that is none. */
export function readManifest(text: string, file: string): Manifest {
  let found: Partial<Manifest>;
  try {
    found = JSON.parse(text) as Partial<Manifest>;
  } catch (cause) {
    throw new UserError(`${file} is damaged: its list of files is not JSON.`, { cause });
  }
  if (found.format !== MANIFEST_FORMAT || !Array.isArray(found.files))
    throw new UserError(`${file} was made by a newer version of Hermes (format ${String(found.format)}).`, {
      hint: "Update Hermes: hermes update.",
    });
  return found as Manifest;
}
