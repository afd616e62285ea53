import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SkillShelf } from "hermes-agent/plugin";

/** No download takes this long, so its process was killed. */
const LEFT_MS = 86_400_000;

/** An empty folder for what is not trusted yet; it goes with everything in it. */
export function openStage({ folder }: Pick<SkillShelf, "folder">): AsyncDisposable & { readonly folder: string } {
  const quarantine = join(folder, ".hub/quarantine");
  mkdirSync(quarantine, { recursive: true, mode: 0o700 });
  for (const left of readdirSync(quarantine))
    if (Date.now() - (statSync(join(quarantine, left), { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > LEFT_MS)
      rmSync(join(quarantine, left), { recursive: true, force: true });
  const stage = mkdtempSync(`${quarantine}/`);
  return { folder: stage, [Symbol.asyncDispose]: async () => rmSync(stage, { recursive: true, force: true }) };
}
