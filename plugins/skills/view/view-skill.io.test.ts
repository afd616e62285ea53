import assert from "node:assert/strict";
import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject, ToolContext } from "hermes-agent/plugin";
import { skillsCategories, skillsList } from "../list-skills.ts";
import { refused, skill, SkillWorld } from "../testing/skill-world.ts";
import { viewSkill } from "./view-skill.ts";
import { withoutUndefined } from "hermes-agent/testing";

function ofPlugins(world: SkillWorld, ...names: readonly string[]): void {
  for (const name of names)
    world.ofPlugins.push({
      name,
      value: { name: name.split(":")[1]!, path: join(world.home, "plugins", name.replace(":", "/"), "SKILL.md") },
    });
}

// req: skills.level-1-list, skills.category-layout
test("lists skills by category and name without their content", async () => {
  await using world = new SkillWorld();
  world.write({
    "skills/mlops/train/SKILL.md": skill("train"),
    "skills/mlops/eval/deep/SKILL.md": skill("deep"),
    "skills/devops/deploy/SKILL.md": skill("deploy"),
    "skills/plain/SKILL.md": "# Plain\nSays it at once.\n",
    "skills/.hub/lock/SKILL.md": skill("hidden"),
    "skills/plain/references/SKILL.md": skill("inner"),
  });
  const row = (name: string, category: string | null) => ({ name, description: `Does ${name}.`, category });
  const { hint: _, ...all } = await skillsList(undefined, world.shelf);
  const plain = {
    name: "plain",
    description: "Says it at once.",
    category: null,
    warning: "it does not begin with frontmatter between two lines ---",
  };
  assert.deepEqual(withoutUndefined(all), {
    success: true,
    skills: [plain, row("deploy", "devops"), row("deep", "mlops"), row("train", "mlops")],
    categories: ["devops", "mlops"],
    count: 4,
  });
  const { hint: _hint, ...devops } = await skillsList("devops", world.shelf);
  assert.deepEqual(withoutUndefined(devops), {
    success: true,
    skills: [row("deploy", "devops")],
    categories: ["devops"],
    count: 1,
  });
  const { hint: _none, ...none } = await skillsList("none", world.shelf);
  assert.deepEqual(none, { success: true, skills: [], categories: [], count: 0 });
  assert.deepEqual(await skillsCategories(world.shelf), ["devops", "mlops"]);
});

test("a home without skills shows where to put them", async () => {
  await using world = new SkillWorld();
  assert.deepEqual(await skillsList(undefined, world.shelf), {
    success: true,
    skills: [],
    categories: [],
    message: `No skills yet. Their folder is ${world.folder}.`,
  });
  assert.deepEqual(await skillsCategories(world.shelf), []);
});

// req: skills.level-2-view, skills.support-folders, skills.frontmatter
test("shows a skill whole, with its tags, files, requirements and other frontmatter", async () => {
  await using world = new SkillWorld();
  const text =
    "\uFEFF---\nname: dice\ndescription: Rolls dice.\nlicense: MIT\ncompatibility: needs bash\nmetadata:\n  hermes:\n    tags: [games, luck]\n    category: fun\n    related_skills: cards, chess\n  author: me\nrequired_environment_variables:\n  - DICE_KEY\n  - {name: DICE_MOOD, optional: true, prompt: Mood}\nsetup:\n  help: See the shop.\n---\n\nRun ${HERMES_SKILL_DIR}/scripts/roll.sh for ${HERMES_SESSION_ID}, not ${HOME}. !`echo no`\n";
  world.write({
    "skills/fun/dice/SKILL.md": text,
    "skills/fun/dice/scripts/roll.sh": "echo 6\n",
    "skills/fun/dice/references/deep/rules.md": "Rules.\n",
    "skills/fun/dice/templates/form.md": "f",
    "skills/fun/dice/assets/die.png": "p",
    "skills/fun/dice/forms.md": "F",
    "skills/fun/dice/.hidden": "h",
  });
  const folder = join(world.folder, "fun/dice");
  const shown = await viewSkill({ name: "dice" }, world.shelf, world.call());
  const expected: JsonObject = {
    success: true,
    name: "dice",
    description: "Rolls dice.",
    tags: ["games", "luck"],
    related_skills: ["cards", "chess"],
    content: text.slice(1).replace("${HERMES_SKILL_DIR}", folder).replace("${HERMES_SESSION_ID}", "s1"),
    path: "fun/dice/SKILL.md",
    skill_dir: folder,
    linked_files: {
      references: ["references/deep/rules.md"],
      templates: ["templates/form.md"],
      assets: ["assets/die.png"],
      scripts: ["scripts/roll.sh"],
      other: ["forms.md"],
    },
    usage_hint: "skill_view with file_path reads one of the linked files, such as references/api.md.",
    required_environment_variables: [
      { name: "DICE_KEY", prompt: "Enter value for DICE_KEY" },
      { name: "DICE_MOOD", prompt: "Mood", optional: true },
    ],
    required_commands: [],
    missing_required_environment_variables: ["DICE_KEY"],
    missing_credential_files: [],
    missing_required_commands: [],
    setup_needed: true,
    setup_skipped: false,
    readiness_status: "setup_needed",
    setup_help: "See the shop.",
    setup_note: "Setup needed: DICE_KEY is not set; the user can store it with: hermes config set DICE_KEY VALUE.",
    compatibility: "needs bash",
    metadata: { hermes: { tags: ["games", "luck"], category: "fun", related_skills: "cards, chess" }, author: "me" },
  };
  assert.deepEqual(withoutUndefined(shown), expected);
  world.variables["DICE_KEY"] = "k";
  assert.equal((await viewSkill({ name: "fun/dice" }, world.shelf, world.call()))["readiness_status"], "available");
  assert.equal((await viewSkill({ name: "fun:dice" }, world.shelf, world.call()))["success"], true);
});

test("shows where to get the API key that a skill needs", async () => {
  await using world = new SkillWorld();
  world.write({
    "skills/keyed/SKILL.md":
      "---\nname: keyed\ndescription: x\nrequired_environment_variables:\n  - name: KEYED_KEY\n    help: https://example.com/keys\n---\nText.\n",
  });
  assert.equal(
    (await viewSkill({ name: "keyed" }, world.shelf, world.call()))["setup_help"],
    "https://example.com/keys",
  );
  world.variables["KEYED_KEY"] = "k";
  assert.equal((await viewSkill({ name: "keyed" }, world.shelf, world.call()))["setup_help"], undefined);
});

// req: skills.level-3-file
test("reads a skill's file by its name, and nothing outside the skill", async () => {
  await using world = new SkillWorld();
  world.write({
    "skills/dice/SKILL.md": skill("dice"),
    "skills/dice/references/rules.md": "Roll twice.\n",
    "skills/dice/assets/die.bin": Buffer.from([0xff, 0xfe, 0, 0]),
    "skills/other/SKILL.md": skill("other"),
    "skills/other/references/key.md": "k",
    "secret/key": "k",
  });
  symlinkSync(join(world.home, "secret/key"), join(world.folder, "dice/references/link"));
  symlinkSync(join(world.home, "secret"), join(world.folder, "dice/references/folder"));
  const view = (file_path: string) => viewSkill({ name: "dice", file_path }, world.shelf, world.call());
  const rules = {
    success: true,
    name: "dice",
    file: "references/rules.md",
    file_type: ".md",
    content: "Roll twice.\n",
  };
  assert.deepEqual(await view("references/rules.md"), rules);
  assert.deepEqual(await viewSkill({ name: "dice", path: "references/rules.md" }, world.shelf, world.call()), rules);
  assert.deepEqual(await view("assets/die.bin"), {
    success: true,
    name: "dice",
    file: "assets/die.bin",
    file_type: ".bin",
    content: `[Binary file: assets/die.bin, 4 bytes, at ${join(world.folder, "dice/assets/die.bin")}]`,
    is_binary: true,
  });
  for (const file of [
    "references/link",
    "references/folder/key",
    "../other/references/key.md",
    "references/../../other/SKILL.md",
    "/etc/passwd",
    "references",
    "references/none.md",
    ".hidden",
  ]) {
    const { message, data } = await refused(view(file));
    assert.deepEqual(
      { message, data },
      {
        message: `"${file}" is not a file of the skill "dice".`,
        data: { success: false, available_files: { references: ["references/rules.md"], assets: ["assets/die.bin"] } },
      },
      file,
    );
  }
});

test("refuses a name that leads elsewhere, is unknown or matches several skills, and does not guess", async () => {
  await using world = new SkillWorld();
  world.write({
    "skills/a/deploy/SKILL.md": skill("deploy"),
    "skills/b/deploy/SKILL.md": skill("deploy"),
    "skills/off/SKILL.md": skill("off"),
    "skills/mac/SKILL.md": "---\nname: mac\ndescription: x\nplatforms: [beos]\n---\nx\n",
    "skills/notes.md": "Just notes.\n",
  });
  world.settings["skills.disabled"] = ["off"];
  const view = (name: string) => refused(viewSkill({ name }, world.shelf, world.call()));
  for (const name of ["../deploy", "/etc/passwd", "~/x", "a/../../x"])
    assert.equal((await view(name)).data?.["success"], false, name);
  assert.deepEqual((await view("deploy")).data, {
    success: false,
    matches: ["a", "b"].map((category) => join(world.folder, category, "deploy/SKILL.md")),
  });
  assert.deepEqual(await view("chess"), {
    message: 'There is no skill "chess".',
    hint: "skills_list lists all skills.",
    data: { success: false, available_skills: ["deploy"] },
  });
  assert.deepEqual(await view("off"), {
    message: 'The skill "off" is disabled.',
    hint: "hermes skills enable off",
    data: { success: false },
  });
  assert.deepEqual((await view("mac")).data, { success: false, readiness_status: "unsupported" });
  assert.equal((await viewSkill({ name: "b/deploy" }, world.shelf, world.call()))["path"], "b/deploy/SKILL.md");
  assert.equal((await viewSkill({ name: "notes" }, world.shelf, world.call()))["content"], "Just notes.\n");
});

test("shows a skill with broken frontmatter, together with the error", async () => {
  await using world = new SkillWorld();
  world.write({ "skills/odd/SKILL.md": "---\nname: odd\ndescription: 'Open: quote\ntags: [a\n---\n\nText.\n" });
  const { description, content, warning } = await viewSkill({ name: "odd" }, world.shelf, world.call());
  assert.deepEqual([description, String(content).endsWith("Text.\n")], ["'Open: quote", true]);
  assert.match(String(warning), /^SKILL\.md of "odd" is not valid: its frontmatter is not valid YAML: /);
});

// req: skills.plugin-view, skills.plugin-banner, skills.plugin-read-only
test("shows a plugin's skill below a banner with the plugin's other skills; the bare name still means the user's skill", async () => {
  await using world = new SkillWorld();
  world.write({
    "skills/dice/SKILL.md": skill("dice"),
    "plugins/games/dice/SKILL.md": "\uFEFFDice of the plugin, in ${HERMES_SKILL_DIR}.\n",
    "plugins/games/dice/references/r.md": "R",
    "plugins/games/dice/code.py": "x",
    "plugins/games/cards/SKILL.md": skill("cards"),
    "plugins/other/cards/SKILL.md": "Draws cards.\n",
  });
  ofPlugins(world, "games:dice", "games:cards", "other:cards", "games:gone");
  const dice = await viewSkill({ name: "games:dice" }, world.shelf, world.call());
  assert.deepEqual(dice, {
    success: true,
    name: "games:dice",
    description: "",
    content: `[Bundle context: This skill is part of the 'games' plugin. It also has: games:cards, games:gone.]\n\nDice of the plugin, in ${join(world.home, "plugins/games/dice")}.\n`,
    linked_files: { references: ["references/r.md"] },
    readiness_status: "available",
  });
  assert.equal(
    (await viewSkill({ name: "other:cards" }, world.shelf, world.call()))["content"],
    "[Bundle context: This skill is part of the 'other' plugin.]\n\nDraws cards.\n",
  );
  assert.equal((await viewSkill({ name: "dice" }, world.shelf, world.call()))["content"], skill("dice"));
  assert.deepEqual(
    (await refused(viewSkill({ name: "games:dice", file_path: "code.py" }, world.shelf, world.call()))).data,
    { success: false, available_files: { references: ["references/r.md"] } },
  );
  const view = (name: string) => refused(viewSkill({ name }, world.shelf, world.call()));
  assert.deepEqual((await view("games:chess")).data, {
    success: false,
    available_skills: ["games:dice", "games:cards", "games:gone"],
  });
  assert.equal((await view("resting:nap")).hint, "hermes plugins enable resting");
  assert.match((await view("games:gone")).message, /^The file of the skill "games:gone" cannot be read: /);
  assert.deepEqual(
    readdirSync(world.folder).filter((name) => !name.startsWith(".")),
    ["dice"],
  );
});

test("runs commands in a skill's text only if the setting allows it, through the dispatch pipeline", async () => {
  await using world = new SkillWorld();
  world.write({ "skills/now/SKILL.md": skill("now", "Now.", "It is !`date`, and !`false`.\n") });
  const ran: JsonObject[] = [];
  const call = (async (tool: string, args: JsonObject) => {
    ran.push({ tool, ...args });
    return args["command"] === "date"
      ? { kind: "ok", value: null, shown: [{ type: "text", text: '{"output":"noon\\n","exit_code":0}' }] }
      : { kind: "denied", by: "a rule", reason: "no" };
  }) as unknown as ToolContext["call"];
  assert.match(
    String((await viewSkill({ name: "now" }, world.shelf, world.call({ call })))["content"]),
    /It is !`date`, and !`false`\.\n$/,
  );
  assert.deepEqual(ran, []);
  world.settings["skills.inline_shell"] = true;
  assert.match(
    String((await viewSkill({ name: "now" }, world.shelf, world.call({ call })))["content"]),
    /It is noon, and \[inline-shell error: .*\]\.\n$/,
  );
  assert.deepEqual(
    ran,
    ["date", "false"].map((command) => ({
      tool: "terminal",
      command,
      workdir: join(world.folder, "now"),
      timeout: 10,
    })),
  );
});
