import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import type { ToolFailure } from "../../contract/failure.ts";
import { viewSkill, type SkillShelf } from "./view-skill.ts";

function shelfOf(t: TestContext, files: { readonly [file: string]: string | Buffer }, ...names: readonly string[]): SkillShelf & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "hermes-skills-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const skills = names.map((name) => ({ name, value: { name: name.split(":")[1]!, path: join(folder, name.split(":")[1]!, "SKILL.md") } }));
  return { folder, list: () => skills, asleep: async (plugin) => (plugin === "resting" ? "hermes plugins enable resting" : undefined) };
}

const refused = async (viewing: Promise<unknown>) => {
  const { message, hint, data } = (await viewing.then(() => assert.fail("it was shown"), (cause: unknown) => cause)) as ToolFailure;
  return { message, hint, data };
};

// req: skills.plugin-banner
test("a skill comes whole, below a banner that names its plugin and the plugin's other skills, with its own folder and files", async (t) => {
  const text = "\uFEFF---\nname: dice\ndescription: Rolls dice.\n---\n\nRun ${HERMES_SKILL_DIR}/scripts/roll.sh for ${HERMES_SESSION_ID}, not ${HOME}.\n";
  const shelf = shelfOf(t, { "dice/SKILL.md": text, "dice/scripts/roll.sh": "echo 6\n", "dice/references/deep/rules.md": "Rules.\n", "dice/notes.txt": "x", "cards/SKILL.md": "Draws cards.\n" }, "games:dice", "games:cards", "other:cards");
  assert.deepEqual(await viewSkill({ name: "games:dice" }, shelf, "s1"), {
    success: true,
    name: "games:dice",
    description: "Rolls dice.",
    content: `[Bundle context: This skill is part of the 'games' plugin. It also has: games:cards.]\n\n---\nname: dice\ndescription: Rolls dice.\n---\n\nRun ${shelf.folder}/dice/scripts/roll.sh for s1, not \${HOME}.\n`,
    linked_files: { references: ["references/deep/rules.md"], scripts: ["scripts/roll.sh"] },
    readiness_status: "available",
  });
  assert.deepEqual(await viewSkill({ name: "other:cards" }, shelf, "s1"), { success: true, name: "other:cards", description: "", content: "[Bundle context: This skill is part of the 'other' plugin.]\n\nDraws cards.\n", linked_files: null, readiness_status: "available" });
});

test("a file of a skill is read by its name, and nothing outside the skill's own folders is", async (t) => {
  const shelf = shelfOf(t, { "dice/SKILL.md": "Dice.\n", "dice/references/rules.md": "Roll twice.\n", "dice/assets/die.bin": Buffer.from([0xff, 0xfe, 0, 1]), "dice/secret.py": "x", "outside/key": "k" }, "games:dice");
  symlinkSync(join(shelf.folder, "outside/key"), join(shelf.folder, "dice/references/link"));
  const view = (file_path: string) => viewSkill({ name: "games:dice", file_path }, shelf, "s1");
  assert.deepEqual(await view("references/rules.md"), { success: true, name: "games:dice", file: "references/rules.md", file_type: ".md", content: "Roll twice.\n" });
  assert.deepEqual(await view("assets/die.bin"), { success: true, name: "games:dice", file: "assets/die.bin", file_type: ".bin", content: `[Binary file: assets/die.bin, 4 bytes, at ${join(shelf.folder, "dice/assets/die.bin")}]`, is_binary: true });
  for (const file of ["references/link", "secret.py", "../outside/key", "references/../secret.py", "/etc/passwd", "references", "references/none.md"]) {
    assert.deepEqual(await refused(view(file)), { message: `"${file}" is no file of the skill "games:dice".`, hint: "Files of a skill lie in references, templates, assets or scripts.", data: { success: false, available_files: { references: ["references/rules.md"], assets: ["assets/die.bin"] } } }, file);
  }
});

test("what is not there is answered with what there is, or with what would bring it", async (t) => {
  const shelf = shelfOf(t, { "dice/SKILL.md": "Dice.\n" }, "games:dice", "games:gone", "other:cards");
  const view = (name: string) => refused(viewSkill({ name }, shelf, "s1"));
  assert.deepEqual(await view("games:chess"), { message: 'There is no skill "games:chess".', hint: "There is: games:dice, games:gone.", data: { success: false, available_skills: ["games:dice", "games:gone"] } });
  assert.deepEqual((await view("dice")).data, { success: false, available_skills: ["games:dice", "games:gone", "other:cards"] });
  assert.deepEqual(await view("resting:nap"), { message: 'The plugin "resting" does not run, so its skill "resting:nap" cannot be loaded.', hint: "hermes plugins enable resting", data: { success: false } });
  assert.match((await view("games:gone")).message, /^The file of the skill "games:gone" is gone: /);
  assert.equal((await refused(viewSkill({ name: "a:b" }, { list: () => [], asleep: async () => undefined }, "s1"))).hint, "No plugin brings a skill.");
});
