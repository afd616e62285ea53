/** Of a clone: where builds are. */
export const BUILDS: string;
/** Numbers for each input in what `statesOf` returns; the second is the time of its last change. */
export const FIELDS: number;
/** Only the clone's owner may write `builds`. */
export function belongsToOwner(root: string, builds: string): boolean;
/** Why this user cannot build the clone. */
export function buildObstacle(root: string): string | undefined;
/** The build to run, or why there is none. */
export function matchingBuild(
  root: string,
): { readonly folder: string; readonly main: string } | { readonly why: string };
/** The Node.js that a build is valid for. */
export function runtime(): string;
/** What the system reports of each input, one after the other. */
export function statesOf(root: string, inputs: readonly string[]): readonly number[];
