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
  const some = paths.some(
    (path) =>
      LIKE_ONE.test(path) &&
      call.by
        .paths(path, call.state)
        .some((full) =>
          hasMark(full) ? mayHoldSecrets(full, false, { home: call.by.home }) : holdsSecret(path, call),
        ),
  );
  return some ? { text: `${paths.join("\n")}\n`, names: paths, from: "pipe" } : undefined;
}

/** A hidden name or a pattern. Other names do not name secrets. */
const LIKE_ONE = /(?:^|\/)\.|[\uE000-\uE012]/;

/** Whether a folder may contain stored secrets, like a home or a folder that contains one. */
export const holdsSecretsBelow = (path: string, call: Call): boolean =>
  call.by.paths(path, call.state).some((full) => mayHoldSecrets(full, true, { home: call.by.home }));

/** The pattern of any file below a folder. */
export const fileBelow = (root: string, name = COMPUTED): string =>
  `${root === "/" ? "" : root}/${name === COMPUTED ? "" : `${COMPUTED}/`}${name}`;

/** Converts a pattern of find, fd or git. Unlike in a shell, its star matches a leading dot. */
export const namePattern = (text: string): string =>
  text
    .replaceAll(/[*?]|\[[^\]]*\]/g, COMPUTED)
    .replaceAll(STAR, COMPUTED)
    .replaceAll(QUESTION, COMPUTED)
    .replaceAll(BRACKET, COMPUTED);
