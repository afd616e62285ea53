import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./read-pages.ts";

const FILES = [
  "src/**/*.{ts,cjs}",
  "plugins/**/*.ts",
  "plugins/*/plugin.yaml",
  "hermes",
  "scripts/node-runtime.sh",
  "scripts/clone/*.cjs",
];
/**
 * Places where a name is a variable: quoted, after `process.env.` or `env.`, in a shell's `${…}`, or set for a child
 * process.
 */
const OURS =
  /(?:["'`{$ ]|\benv\.|export )((?:HERMES|TERMINAL)_[A-Z][A-Z0-9_]*)(?=["'`}=:\]]|\b(?= *(?:\?\?|[,;)}]|===|$)))/gm;
const SERVICES = /["'`]([A-Z][A-Z0-9_]*_(?:API_KEY|BASE_URL))["'`]/g;

/** Variables of Hermes and of services that the code names, with the files that name them. */
export function scanVariables(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of globSync(FILES, { cwd: ROOT }).filter(
    (name) => !/\.test\.ts$|\.bench\.ts$|-cases\.ts$|\/test\/|\/testing\/|snapshot\.json/.test(name),
  )) {
    const code = readFileSync(join(ROOT, file), "utf8").replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, "");
    for (const pattern of [OURS, SERVICES])
      for (const [, name = ""] of code.matchAll(pattern)) found.set(name, [...(found.get(name) ?? []), file]);
  }
  return found;
}
