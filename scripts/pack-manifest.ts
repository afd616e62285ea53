/**
 * What is published is bundled, so its manifest names no dependencies. `publish` takes them out while npm packs, `restore` puts them
 * back; a copy beside the manifest says that a pack is under way or was broken off.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const manifest = join(import.meta.dirname, "../package.json");
const copy = `${manifest}.packing`;

if (existsSync(copy)) renameSync(copy, manifest);
if (process.argv[2] === "publish") {
  const text = readFileSync(manifest, "utf8");
  writeFileSync(copy, text);
  const {
    dependencies: _,
    optionalDependencies: __,
    devDependencies: ___,
    scripts: ____,
    ...published
  } = JSON.parse(text) as { [key: string]: unknown };
  writeFileSync(manifest, `${JSON.stringify(published, null, 2)}\n`);
}
