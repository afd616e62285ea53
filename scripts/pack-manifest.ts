/**
 * The published package is bundled, so its manifest has no dependencies. `publish` removes them while npm packs,
 * `restore` puts them
 * back; a copy beside the manifest means that a pack is running or was interrupted.
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
