import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runSkills } from "../../plugins/skills/command/run-skills.ts";
import { readHub } from "../../plugins/skills/hub/hub-state.ts";
import { skill, SkillWorld } from "../../plugins/skills/testing/skill-world.ts";

const FILES = 20;

/** A skill whose files all contain its version. */
const tea = (version: string) => ({
  "from/tea/SKILL.md": skill("tea", `Version ${version}.`),
  ...Object.fromEntries(Array.from({ length: FILES }, (_, at) => [`from/tea/references/${at}.md`, version])),
});

for (const before of [undefined, "1"] as const) {
  test(`row 11: a skill ${before === undefined ? "install" : "update"} killed at any step leaves the old or the new version, with its record`, async () => {
    const seen = new Set<string>();
    for (let at = 1; ; at += 1) {
      await using world = new SkillWorld();
      const run = async (line: string) => {
        const message: string[] = [];
        await runSkills(
          line.split(" "),
          world.service((text) => void message.push(text)),
        );
        return message.join("\n");
      };
      if (before !== undefined) {
        world.write(tea(before));
        await run(`install ${world.home}/from/tea -y`);
      }
      world.write(tea("2"));
      const signal = await killedAt(at, world, join(world.home, "from/tea"));

      const audit = await run("audit").catch((cause: Error) => cause.message);
      const version = there(world.folder);
      seen.add(String(version));
      assert.ok([before, "2"].includes(version), `killed at step ${at} it is ${version}`);
      assert.equal(
        audit
          .split("\n")
          .filter((line) => line.includes("tea"))
          .join(),
        version === undefined ? "" : "✓ tea",
        `killed at step ${at}`,
      );
      assert.deepEqual(
        [Object.keys(readHub(world.folder).installed), readHub(world.folder).pending],
        [version === undefined ? [] : ["tea"], {}],
        `killed at step ${at}`,
      );
      await run(`install ${world.home}/from/tea --force -y`);
      assert.equal(there(world.folder), "2", `killed at step ${at}`);
      if (signal === null) break;
    }
    assert.deepEqual(seen, new Set([String(before), "2"]), "both sides of the change were seen");
  });
}

/** The version that every file of the skill contains; `undefined` if there is no skill. */
function there(skills: string): string | undefined {
  const folder = join(skills, "tea");
  if (!existsSync(folder)) return undefined;
  const versions = new Set([
    /Version (\d)/.exec(readFileSync(join(folder, "SKILL.md"), "utf8"))![1]!,
    ...readdirSync(join(folder, "references")).map((name) => readFileSync(join(folder, "references", name), "utf8")),
  ]);
  assert.deepEqual([versions.size, readdirSync(join(folder, "references")).length], [1, FILES]);
  return [...versions][0];
}

async function killedAt(at: number, { home }: SkillWorld, folder: string): Promise<NodeJS.Signals | null> {
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    KILL_AT: String(at),
    KILL_WHERE: "/skills/(tea$|\\.hub/lock\\.json$|\\.history/)",
  };
  const child = spawn(
    process.execPath,
    [
      "--conditions=hermes-source",
      "--import",
      join(import.meta.dirname, "kill-at.ts"),
      join(import.meta.dirname, "skill-installer.ts"),
      home,
      folder,
    ],
    { env, stdio: ["ignore", "ignore", "pipe"] },
  );
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => (words += chunk.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  assert.ok(code === 0 || signal === "SIGKILL", words);
  return signal;
}
