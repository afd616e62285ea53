import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

const NO_PYTHON = spawnSync("python3", ["--version"]).status === 0 ? false : "there is no python3";

/** The guide's own loop, with the line breaks that its copy lost. */
const LOOP = `from pathlib import Path

def register(ctx):
    skills_dir = Path(__file__).parent / "skills"
    for child in sorted(skills_dir.iterdir()):
        skill_md = child / "SKILL.md"
        if child.is_dir() and skill_md.exists():
            ctx.register_skill(child.name, skill_md)
`;

const skill = (name: string): string => `---\nname: ${name}\ndescription: The ${name}.\n---\n\nDo the ${name}.\n`;

// req: plugins.register-skill, skills.plugin-not-in-index, skills.plugin-banner
test(
  "the model loads a plugin's skills by name; no system prompt lists them, and the skills folder does not change",
  { skip: NO_PYTHON },
  async () => {
    await using model = await startOpenAiServer([
      { calls: [{ tool: "skill_view", args: { name: "my-plugin:my-workflow" } }] },
      { text: "Done." },
    ]);
    using user = new NewUser();
    user.connect("custom", model.url);
    user.write(
      "~/.hermes/plugins/my-plugin/plugin.yaml",
      "name: my-plugin\nversion: 1.0.0\ndescription: Two skills.\n",
    );
    user.write("~/.hermes/plugins/my-plugin/__init__.py", LOOP);
    for (const name of ["my-workflow", "my-checklist"])
      user.write(`~/.hermes/plugins/my-plugin/skills/${name}/SKILL.md`, skill(name));
    assert.equal(
      (await user.run(["plugins", "enable", "my-plugin"])).out,
      "✓ my-plugin v1.0.0 (2 skills) is enabled.\n",
    );

    const { status, err } = await user.run(["chat", "-q", "Follow my workflow."]);
    assert.equal(status, 0, err);
    const [first, second] = model.requests.map(
      ({ body }) =>
        JSON.parse(body) as {
          readonly tools: readonly { readonly function: { readonly name: string } }[];
          readonly messages: readonly { readonly role: string; readonly content: string }[];
        },
    );
    assert.ok(first!.tools.some((tool) => tool.function.name === "skill_view"));
    assert.ok(!JSON.stringify(first).includes("my-workflow"));
    const shown = JSON.parse(second!.messages.at(-1)!.content) as { readonly content: string };
    assert.equal(
      shown.content,
      `[Bundle context: This skill is part of the 'my-plugin' plugin. It also has: my-plugin:my-checklist.]\n\n${skill("my-workflow")}`,
    );
    assert.deepEqual(
      readdirSync(join(user.agentHome, "skills")).filter((name) => !name.startsWith(".")),
      ["hermes"],
    );

    assert.equal((await user.run(["plugins", "disable", "my-plugin"])).status, 0);
    const gone = await user.run(["tools", "call", "skill_view", '{"name":"my-plugin:my-workflow"}']);
    assert.deepEqual([gone.status, gone.out.includes("hermes plugins enable my-plugin")], [1, true], gone.out);
  },
);
