/** The folder of a clone's builds. */
export const BUILDS: string;
/** How many numbers `statesOf` returns for each input; the second is the time of its last change. */
export const FIELDS: number;
/** Whether only the clone's owner can write `builds`. */
export function belongsToOwner(root: string, builds: string): boolean;
/** Why this user cannot build the clone. */
export function buildObstacle(root: string): string | undefined;
/** The build to run, or why there is none. */
export function matchingBuild(
  root: string,
): { readonly folder: string; readonly main: string } | { readonly why: string };
/** The Node.js that a build is valid for. */
export function runtime(): string;
/** The system's data about each input, one after the other. */
export function statesOf(root: string, inputs: readonly string[]): readonly number[];
