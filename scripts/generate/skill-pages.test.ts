import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makePages } from "./make-pages.ts";
import { ROOT } from "./read-snapshot.ts";
import { readSkillTexts, skillPages } from "./skill-pages.ts";

// req: docs.skill-pages
test("a changed description changes only the skill's page and the catalogue, and makes the old pages stale", async () => {
  const skills = await readSkillTexts(join(ROOT, "skills"));
  const written = (file: string): string => readFileSync(join(ROOT, "docs/reference", file), "utf8");
  assert.deepEqual(
    (await makePages(skills)).filter(({ file, text }) => written(file) !== text),
    [],
  );
  const changed = skills.map((skill) =>
    skill.path === "hermes/self-check"
      ? { ...skill, data: { ...skill.data, description: "Another | description <b>" } }
      : skill,
  );
  const stale = (await makePages(changed)).filter(({ file, text }) => written(file) !== text);
  assert.deepEqual(
    stale.map(({ file }) => file),
    ["skills.md", "skills/hermes-self-check.md"],
  );
  assert.match(
    stale[0]!.text,
    /^\| \[`self-check`\]\(skills\/hermes-self-check\.md\) \| Another \\\| description &lt;b> \|/m,
  );
  const left = (await makePages(skills.slice(1)))
    .filter(({ file, text }) => written(file) !== text)
    .map(({ file }) => file);
  assert.ok(left.includes("README.md") && left.includes("skills.md"), left.join(" "));
});

// req: docs.skill-pages
test("every bundled skill has a page that catalogue and contents link to, and there are no other pages", async () => {
  const pages = await makePages();
  const own = pages.filter(({ file }) => file.startsWith("skills/")).map(({ file }) => file);
  assert.deepEqual(
    own,
    (await readSkillTexts(join(ROOT, "skills"))).map(({ path }) => `skills/${path.replaceAll("/", "-")}.md`),
  );
  for (const file of ["skills.md", "README.md"])
    for (const one of own)
      assert.ok(pages.find((page) => page.file === file)!.text.includes(`](${one})`), `${file}: ${one}`);
  assert.deepEqual(
    readdirSync(join(ROOT, "docs/reference/skills"))
      .map((name) => `skills/${name}`)
      .sort(),
    own.toSorted(),
  );
});

test("a page shows the frontmatter's data and the unchanged text", () => {
  const [, own] = skillPages([
    {
      path: "ml/deep/train",
      data: {
        name: "train",
        description: "Trains.",
        version: 2,
        platforms: ["linux"],
        metadata: { hermes: { tags: "a, b", requires_tools: ["terminal"] } },
        required_environment_variables: ["KEY", { name: "OTHER" }],
      },
      body: "# Train\n\n```sh\nmake\n```\n",
    },
  ]);
  assert.equal(own?.file, "skills/ml-deep-train.md");
  for (const line of [
    "# train",
    "Trains.",
    "- ml/deep: [train](ml-deep-train.md)",
    "| Version | 2 |",
    "| Platforms | linux |",
    "| Tags | `a`, `b` |",
    "| Needs | `terminal`, `KEY`, `OTHER` |",
    "````markdown\n# Train\n\n```sh\nmake\n```\n````",
  ])
    assert.ok(own!.text.includes(line), line);
});
