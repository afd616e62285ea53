import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { keepVersion, restoreVersion, versions } from "./history.ts";
import { manageSkill } from "./manage/manage-skill.ts";
import { skill, SkillWorld } from "./testing/skill-world.ts";

test("saves what the agent overwrites or deletes, and restores it completely", async () => {
  await using world = new SkillWorld();
  world.write({ "skills/c/a/SKILL.md": skill("a"), "skills/c/a/references/r.md": "r" });
  const manage = (input: { readonly action: string; readonly [key: string]: string }) =>
    manageSkill({ name: "a", ...input }, world.shelf, world.risk());
  const text = () => readFileSync(join(world.folder, "c/a/SKILL.md"), "utf8");
  const { undo } = await manage({ action: "patch", old_string: "Do it.", new_string: "Do it well." });
  await manage({ action: "remove_file", file_path: "references/r.md" });
  await manage({ action: "delete" });
  assert.deepEqual(
    versions(world.folder).map(({ name, path, why }) => [name, path, why]),
    [
      ["a", "c/a", "delete"],
      ["a", "c/a", "remove_file"],
      ["a", "c/a", "patch"],
    ],
  );
  assert.deepEqual((await world.shelf.all()).length, 0);

  restoreVersion(world.folder, "a");
  assert.deepEqual(
    [text(), existsSync(join(world.folder, "c/a/references/r.md"))],
    [skill("a").replace("Do it.", "Do it well."), false],
  );
  const first = String(undo).replace("hermes skills restore ", "");
  assert.equal(restoreVersion(world.folder, first).why, "patch");
  assert.deepEqual([text(), readFileSync(join(world.folder, "c/a/references/r.md"), "utf8")], [skill("a"), "r"]);
  assert.equal(versions(world.folder)[0]!.why, `restore of ${first}`);
  restoreVersion(world.folder, versions(world.folder)[0]!.id);
  assert.equal(text(), skill("a").replace("Do it.", "Do it well."));
  assert.throws(() => restoreVersion(world.folder, "none"), /There is no earlier version "none"/);
});

test("keeps the newest versions up to a number and a size, and ignores an incomplete one", async () => {
  await using world = new SkillWorld();
  world.write({ "skills/a/SKILL.md": skill("a") });
  for (let count = 0; count < 105; count++) keepVersion(world.folder, "a", `change ${count}`);
  assert.equal(versions(world.folder).length, 100);
  assert.ok(
    versions(world.folder).some(({ why }) => why === "change 104") &&
      !versions(world.folder).some(({ why }) => why === "change 0"),
  );
  mkdirSync(join(world.folder, ".history/30000101T000000-b"), { recursive: true });
  // Killed while it was copied.
  world.write({
    "skills/.history/30000101T000001-a/about.json": JSON.stringify({
      id: "30000101T000001-a",
      name: "a",
      path: "a",
      at: 1,
      why: "half",
    }),
    "skills/.history/30000101T000001-a/copying/references/r.md": "half",
  });
  assert.equal(versions(world.folder).length, 100);
  assert.throws(() => restoreVersion(world.folder, "30000101T000001-a"), /There is no earlier version/);
  assert.notEqual(restoreVersion(world.folder, "a").why, "half");
  world.write({ "skills/a/assets/big": Buffer.alloc(30_000_000) });
  keepVersion(world.folder, "a", "big 1");
  writeFileSync(join(world.folder, "a/SKILL.md"), "x");
  keepVersion(world.folder, "a", "big 2");
  assert.ok(versions(world.folder).length < 100);
});
