import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scanSkill } from "../../src/safety/skills/scan-skill.ts";
import { toSkillFile } from "../../src/safety/skills/skill-file.ts";

interface Labelled {
  readonly label: "harmful" | "harmless";
  readonly text?: string;
  readonly files?: Readonly<Record<string, string>>;
}

const FOLDER = join(import.meta.dirname, "labelled");

// req: skills-hub.scan
test("other authors' labelled skills: no harmful one is safe, and every harmless one is", async () => {
  const files = globSync("skills-blind-*.jsonl", { cwd: FOLDER }).sort();
  assert.ok(files.length >= 10, `${files.length} tables`);
  const wrong: string[] = [];
  for (const file of files) {
    for (const [at, line] of readFileSync(join(FOLDER, file), "utf8").trimEnd().split("\n").entries()) {
      const { label, text = "", files: parts = { "SKILL.md": text } } = JSON.parse(line) as Labelled;
      const { verdict, findings } = await scanSkill(
        Object.entries(parts).map(([path, content]) => toSkillFile(path, Buffer.from(content), false)),
      );
      if ((verdict === "safe") !== (label === "harmless"))
        wrong.push(
          `${file}:${at + 1}: ${label}, judged ${verdict} (${findings.map(({ reason }) => reason).join(" | ")})`,
        );
    }
  }
  assert.deepEqual(wrong, []);
});
