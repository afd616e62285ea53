interface SurfaceTraits {
  /** Runs without a user, on a schedule: the setting `approvals.cron_mode` decides its approvals. */
  readonly scheduled?: true;
}

/** The surface that commands without `--platform` and the setting `toolsets` refer to. */
export const DEFAULT_SURFACE = "cli";

/** Properties of surfaces that code outside of them depends on. A surface that is not listed has none. */
const TRAITS: ReadonlyMap<string, SurfaceTraits> = new Map([["cron", { scheduled: true }]]);

export function isScheduled(surface: string): boolean {
  return TRAITS.get(surface)?.scheduled === true;
}
