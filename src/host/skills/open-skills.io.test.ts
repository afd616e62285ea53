import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { skill, SkillWorld } from "../../../plugins/skills/testing/skill-world.ts";

const OFFERED = { tools: new Set(["skill_view"]), toolsets: new Set(["skills"]) };
const names = async (world: SkillWorld) =>
  (await world.shelf.all()).filter(({ hidden }) => hidden === undefined).map(({ path }) => path);

/** Bundled skills in a separate folder. */
function bundled(source: SkillWorld, files: { readonly [path: string]: string }): string {
  source.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`bundled/${path}`, text])));
  return join(source.home, "bundled");
}

// req: skills.seed-bundled, skills.bundled-manifest
test("copies bundled skills once: changed ones stay, deleted ones do not return, the others follow updates", async () => {
  await using source = new SkillWorld();
  const from = bundled(source, {
    "a/one/SKILL.md": skill("one"),
    "a/two/SKILL.md": skill("two"),
    "three/SKILL.md": skill("three"),
    "three/scripts/x.sh": "echo 1\n",
  });
  await using world = new SkillWorld(from);
  assert.match(
    await world.shelf.index(OFFERED, "cli"),
    /- one: Does one\.\n- two: Does two\.\ngeneral:\n- three: Does three\./,
  );
  assert.ok(!existsSync(world.folder), "a start copies nothing");
  await world.shelf[Symbol.asyncDispose]();
  assert.deepEqual(await names(world), ["three", "a/one", "a/two"]);
  const manifest = readFileSync(join(world.folder, ".bundled_manifest"), "utf8");
  assert.match(manifest, /^one:[0-9a-f]{32}\nthree:[0-9a-f]{32}\ntwo:[0-9a-f]{32}\n$/);

  writeFileSync(join(world.folder, "a/one/SKILL.md"), skill("one", "Mine."));
  rmSync(join(world.folder, "a/two"), { recursive: true });
  source.write({
    "bundled/a/one/SKILL.md": skill("one", "Newer."),
    "bundled/a/two/SKILL.md": skill("two", "Newer."),
    "bundled/three/SKILL.md": skill("three", "Newer."),
    "bundled/four/SKILL.md": skill("four"),
  });
  await using later = new SkillWorld(from, "2");
  rmSync(later.home, { recursive: true });
  symlinkSync(world.home, later.home);
  await later.shelf.index(OFFERED, "cli");
  await later.shelf[Symbol.asyncDispose]();
  const text = (path: string) => readFileSync(join(world.folder, path, "SKILL.md"), "utf8");
  assert.deepEqual(readdirSync(world.folder).sort(), [".bundled_manifest", "a", "four", "three"]);
  assert.deepEqual(readdirSync(join(world.folder, "a")), ["one"]);
  assert.deepEqual(
    [text("a/one"), text("three"), text("four")],
    [skill("one", "Mine."), skill("three", "Newer."), skill("four")],
  );
  assert.equal(readFileSync(join(world.folder, "three/scripts/x.sh"), "utf8"), "echo 1\n");
  rmSync(later.home);
  mkdirSync(later.home);
});

test("does not replace the user's skill with a bundled one, and the user can disable bundled skills", async () => {
  await using source = new SkillWorld();
  const from = bundled(source, { "one/SKILL.md": skill("one"), "two/SKILL.md": skill("two") });
  await using world = new SkillWorld(from);
  world.write({ "skills/one/SKILL.md": skill("one", "Mine.") });
  await world.shelf.seed();
  assert.match(readFileSync(join(world.folder, "one/SKILL.md"), "utf8"), /Mine/);
  assert.match(readFileSync(join(world.folder, ".bundled_manifest"), "utf8"), /^two:/);
  await using without = new SkillWorld(from);
  without.write({ ".no-bundled-skills": "" });
  assert.deepEqual([await without.shelf.all(), await without.shelf.index(OFFERED, "cli")], [[], ""]);
});

test("reads skills from other folders after the home's, and stops at circular links", async () => {
  await using world = new SkillWorld();
  world.write({
    "skills/one/SKILL.md": skill("one", "Of the home."),
    "more/one/SKILL.md": skill("one", "Of outside."),
    "more/two/SKILL.md": skill("two"),
    "elsewhere/three/SKILL.md": skill("three"),
  });
  symlinkSync(world.folder, join(world.folder, "circle"));
  symlinkSync(join(world.home, "elsewhere/three"), join(world.folder, "linked"));
  world.variables["MORE"] = "more";
  world.settings["skills.external_dirs"] = ["${MORE}", "not-there"];
  const output = (await world.shelf.all()).map(({ name, path, source, hidden }) => [name, path, source, hidden?.kind]);
  assert.deepEqual(output, [
    ["one", "one", "home", undefined],
    ["one", "one", "outside", "shadowed"],
    ["three", "linked", "home", undefined],
    ["two", "two", "outside", undefined],
  ]);
});

test("leaves disabled skills out of every index, for all platforms or one, and skills for another system", async () => {
  await using world = new SkillWorld();
  world.write({
    "skills/a/SKILL.md": skill("a"),
    "skills/b/SKILL.md": skill("b"),
    "skills/c/SKILL.md": "---\nname: c\ndescription: C.\nplatforms: beos, linux, macos, windows\n---\nx\n",
    "skills/d/SKILL.md": "---\nname: d\ndescription: D.\nplatforms: [beos]\n---\nx\n",
    "skills/e/SKILL.md": "---\nname: e\ndescription: E.\nenvironments: kanban\n---\nx\n",
    "skills/f/SKILL.md": "---\nname: f\ndescription: F.\nenvironments: [kanban, moon]\n---\nx\n",
  });
  world.settings["skills.disabled"] = ["a"];
  world.settings["skills.platform_disabled.telegram"] = ["b"];
  const shown = async (surface: string) =>
    [...(await world.shelf.index(OFFERED, surface)).matchAll(/^- (\w):/gm)].map(([, name]) => name).join("");
  assert.deepEqual([await shown("cli"), await shown("telegram")], ["bcf", "cf"]);
});

test("reads many skills once, re-reads a changed one, and survives a broken cache", async () => {
  await using world = new SkillWorld();
  world.write(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`skills/s${at}/SKILL.md`, skill(`s${at}`)])));
  const described = async (name: string) => (await world.shelf.all()).find((one) => one.name === name)?.description;
  const cache = join(world.home, "cache/skills.json");
  assert.equal(await described("s7"), "Does s7.");
  assert.equal((JSON.parse(readFileSync(cache, "utf8")) as { reads: unknown[] }).reads.length, 40);
  writeFileSync(cache, readFileSync(cache, "utf8").replace("Does s8.", "From the cache."));
  assert.equal(await described("s8"), "From the cache.");
  world.write({ "skills/s7/SKILL.md": skill("s7", "Changed since then.") });
  assert.equal(await described("s7"), "Changed since then.");
  writeFileSync(cache, "{");
  assert.equal(await described("s8"), "Does s8.");
});

test("lists a skill with a read error in the index, and logs the error", async () => {
  await using world = new SkillWorld();
  world.write({ "skills/odd/SKILL.md": "Only text.\n" });
  assert.match(await world.shelf.index(OFFERED, "cli"), /- odd: Only text\./);
  assert.deepEqual(
    world.log.lines.map(({ level, message }) => [level, message]),
    [["warning", 'The skill "odd" (odd): it does not begin with frontmatter between two lines ---.']],
  );
});
