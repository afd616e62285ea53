import type { JsonObject } from "../common/json.ts";

export const MIGRATION_SOURCES = ["openclaw", "claude-code", "codex"] as const;
export type MigrationSource = (typeof MIGRATION_SOURCES)[number];

/** `hermes import openclaw|claude-code|codex` and `hermes claw migrate`: data of another agent, into this home. */
export interface MigrationService {
  /**
   * Finds what can be imported; changes nothing.
   * @param options.folder Folder of the other agent; default: its usual one. @throws {UserError} if it does not exist.
   */
  plan(source: MigrationSource, options?: MigrationOptions): Promise<MigrationPlan>;
  /** Imports the items of a plan whose state is `new` or, with `overwrite`, `differs`. */
  apply(plan: MigrationPlan, options?: MigrationOptions): Promise<readonly MigrationItem[]>;
}

export interface MigrationOptions {
  readonly folder?: string;
  /** Replace what is here already; the present files move to the folder backups. */
  readonly overwrite?: boolean;
  /** Import the keys, too. */
  readonly withSecrets?: boolean;
}

export interface MigrationPlan {
  readonly source: MigrationSource;
  readonly folder: string;
  readonly items: readonly MigrationItem[];
  /** Variables with keys that were found; imported only with `withSecrets`. */
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
}

export interface MigrationItem {
  readonly kind: "skill" | "mcp server" | "memory" | "rules";
  readonly name: string;
  /** `same` and `unsafe` are never imported; `why` explains. */
  readonly state: "new" | "same" | "differs" | "unsafe";
  readonly why?: string;
  /** Path relative to the home, or the setting. */
  readonly to: string;
  /** Folder to copy, text to write, or value to set. */
  readonly content: { readonly folder: string } | { readonly text: string } | { readonly setting: JsonObject };
}
