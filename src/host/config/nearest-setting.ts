import { nearest } from "../../contract/common/nearest.ts";
import { leaves, splitPath, type Setting } from "./setting.ts";

/**
 * The setting that a path which is none could have meant: a slip in any of its words (`modle`, `agnet.max_turns`), the
 * right key without its section or in another one (`max_turns`). A section that a plain value may stand for gives the
 * key that value is for.
 */
export function nearestSetting(path: string, root: Setting): string | undefined {
  const known = leaves(root).flatMap((leaf) => (leaf.unused ? [] : [leaf.path]));
  const last = splitPath(path).at(-1) ?? "";
  return (
    nearest(path, known) ??
    wordByWord(path, root) ??
    known.find((one) => one.endsWith(`.${last}`)) ??
    nearestLast(last, known)
  );
}

function wordByWord(path: string, root: Setting): string | undefined {
  const found: string[] = [];
  let here: Setting | undefined = root;
  for (const word of splitPath(path)) {
    const properties: Setting["properties"] = here?.properties;
    if (properties === undefined) return undefined;
    const used: string[] = Object.keys(properties).filter((key) => properties[key]?.unused !== true);
    const key: string | undefined = used.includes(word) ? word : nearest(word, used);
    if (key === undefined) return undefined;
    found.push(key);
    here = properties[key];
  }
  return [...found, ...(here?.shorthand === undefined ? [] : [here.shorthand])].join(".");
}

/** `max_trns`: only the key, and with a slip. */
function nearestLast(word: string, known: readonly string[]): string | undefined {
  const byLast = Map.groupBy(known, (one) => splitPath(one).at(-1) ?? "");
  const near = nearest(word, byLast.keys());
  return near === undefined ? undefined : byLast.get(near)?.[0];
}
