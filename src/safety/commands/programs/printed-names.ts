import type { Call } from "../evaluate/call.ts";
import { holdsSecret } from "../risk/carried-secrets.ts";
import type { Flow } from "../risk/effect.ts";
import { mayHoldSecrets } from "../risk/may-hold-secrets.ts";
import { BRACKET, COMPUTED, hasMark, QUESTION, STAR } from "../parse/marks.ts";

/**
 * The output of a program that prints file names: the paths as patterns, but only if one of them may be a stored
 * secret. The next command then reads these paths.
 */
export function printedNames(paths: readonly string[], call: Call): Flow | undefined {
  const some = paths.some((path) =>
    call.by
      .paths(path, call.state)
      .some((full) => (hasMark(full) ? mayHoldSecrets(full, false, { home: call.by.home }) : holdsSecret(path, call))),
  );
  return some ? { text: `${paths.join("\n")}\n`, from: "pipe" } : undefined;
}

/** Whether a folder may hold secrets somewhere below it: a home, or a folder around one. */
export const holdsSecretsBelow = (path: string, call: Call): boolean =>
  call.by.paths(path, call.state).some((full) => mayHoldSecrets(full, true, { home: call.by.home }));

/** Any file below a folder. */
export const fileBelow = (root: string, name = COMPUTED): string =>
  `${root === "/" ? "" : root}/${name === COMPUTED ? "" : `${COMPUTED}/`}${name}`;

/** A pattern of find, fd or git: unlike in a shell, a star matches a leading dot. */
export const namePattern = (text: string): string =>
  text
    .replaceAll(/[*?]|\[[^\]]*\]/g, COMPUTED)
    .replaceAll(STAR, COMPUTED)
    .replaceAll(QUESTION, COMPUTED)
    .replaceAll(BRACKET, COMPUTED);
