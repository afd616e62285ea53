import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import { writeAtomically } from "../config/write-atomically.ts";
import type { UpdatePorts } from "./installation.ts";

/** The last update: what a rollback returns to. */
export interface Previous {
  readonly kind: "clone" | "package";
  readonly root: string;
  /** Commit or version before it. */
  readonly from: string;
  readonly to: string;
}

const FILE = "last-update.json";

export function savePrevious({ saved }: Pick<UpdatePorts, "saved">, previous: Previous): void {
  writeAtomically(join(saved, FILE), `${JSON.stringify(previous, null, 2)}\n`);
}

/** @throws {UserError} if no update of this installation is recorded. */
export function previousOf({ saved, root }: Pick<UpdatePorts, "saved" | "root">, kind: Previous["kind"]): Previous {
  let found: Previous | undefined;
  try {
    found = JSON.parse(readFileSync(join(saved, FILE), "utf8")) as Previous;
  } catch {
    // No update has run yet.
  }
  if (found?.kind === kind && found.root === root) return found;
  throw new UserError("There is no update to take back.", { hint: "`hermes update` records the version before it." });
}
