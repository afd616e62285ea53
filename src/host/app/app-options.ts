export interface AppOptions {
  readonly version: string;
  /** `-p NAME`. */
  readonly profile?: string;
  readonly ignoreUserConfig?: boolean;
  /** Defaults, and no plugins except the bundled ones. */
  readonly safeMode?: boolean;
  /** Settings of this run, by dotted path. */
  readonly flags?: { readonly [path: string]: string | number | boolean };
  /** Use the valid part of a broken config.yaml, for the commands that repair it. */
  readonly forRepair?: boolean;
  /** Subcommands of the surface, which no plugin may take. */
  reservedWord?(name: string): boolean;
  /**
   * The variables of the process. If it is `process.env` itself, secrets are removed from it, since children could read
   * them there.
   */
  readonly env: { readonly [name: string]: string | undefined };
  readonly signal: AbortSignal;
}
