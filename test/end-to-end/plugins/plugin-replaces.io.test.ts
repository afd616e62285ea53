import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NO_TMUX, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const tools = (...names: string[]): string =>
  `export const register = (ctx) => {${names.map((name) => ` ctx.tool({ name: "${name}", toolset: "mine", description: "Mine.", effect: "none", input: { type: "object", properties: {} }, execute: async () => ({ mine: true }) });`).join("")} };\n`;

function withMine(folder: string): NewUser {
  const user = new NewUser();
  user.write(`${folder}/plugin.yaml`, "name: mine\nversion: 1.0.0\ndescription: Reads in its own way.\n");
  user.write(`${folder}/index.js`, tools("read_file", "wave"));
  return user;
}

async function answers(
  user: NewUser,
  args: readonly string[],
  given: readonly (readonly [question: RegExp, keys: readonly string[]])[],
  end: RegExp,
  columns = 100,
): Promise<string> {
  await using terminal = await UserTerminal.open(user, args, { columns, env: { NO_COLOR: "1" } });
  let seen = "";
  for (const [question, keys] of given) {
    seen += await terminal.until(question);
    await terminal.press(...keys);
  }
  return seen + (await terminal.until(end));
}

const ASKED =
  /"mine" replaces the built-in tool "read_file" of "tool-file"\. Every call of "read_file" would run the code of "mine"\.\nLet it replace it\? \[y\/N\]/;

// req: registry.collision
test(
  "a plugin that would replace a built-in tool asks once at a terminal, naming tool and owners; Enter and Ctrl-D deny",
  { skip: NO_TMUX },
  async () => {
    using user = withMine("~/.hermes/plugins/mine");
    const settings = (): string => readFileSync(join(user.agentHome, "config.yaml"), "utf8");
    const enable = ["plugins", "enable", "mine"];
    for (const key of ["Enter", "C-d"])
      await answers(user, enable, [[ASKED, [key]]], /mine was not enabled\.\n\[ended 4\]/, 130);
    assert.match((await user.run(["plugins", "list", "--user"])).out, /○ mine/);

    // A narrow screen wraps the line between words.
    const narrow = await answers(
      user,
      enable,
      [[/Let it replace it\? \[y\/N\]/, ["y", "Enter"]]],
      /✓ mine v1\.0\.0 \(2 tools, 0 hooks\) is enabled\.\n\[ended 0\]/,
      60,
    );
    assert.match(
      narrow,
      /^"mine" replaces the built-in tool "read_file" of\n"tool-file"\. Every call of "read_file" would run the code\nof "mine"\.\n/,
    );
    assert.match(settings(), /mine:\n +allow_tool_override:\n +- read_file\n/);
    assert.deepEqual(JSON.parse((await user.run(["tools", "call", "read_file", "{}"])).out), { mine: true });

    // Agreed tools are not asked again; an additional tool is, alone.
    await user.run(["plugins", "disable", "mine"]);
    assert.equal((await user.run(enable)).status, 0);
    writeFileSync(join(user.agentHome, "plugins/mine/index.js"), tools("read_file", "write_file"));
    const alone = await user.run(enable);
    assert.match(
      `${alone.status} ${alone.err}`,
      /^1 "mine" replaces the built-in tool "write_file" of "tool-file"[^]*Not enabled\. To agree: hermes plugins enable mine --allow-tool-override\n/,
    );
    assert.doesNotMatch(alone.err, /read_file/);
    assert.equal((await user.run([...enable, "--allow-tool-override"])).status, 0);
    assert.match(settings(), /allow_tool_override:\n +- read_file\n +- write_file\n/);
  },
);

// req: registry.collision
test(
  "an install asks before it enables a plugin that replaces a built-in tool, and the consent covers only that content",
  { skip: NO_TMUX },
  async () => {
    using user = withMine("mine");
    await answers(
      user,
      ["plugins", "install", "./mine", "--yes", "--enable"],
      [[ASKED, ["y", "Enter"]]],
      /is enabled\.\n\[ended 0\]/,
      130,
    );
    assert.deepEqual(JSON.parse((await user.run(["tools", "call", "read_file", "{}"])).out), { mine: true });

    writeFileSync(join(user.agentHome, "plugins/mine/index.js"), tools("read_file"));
    await answers(user, ["plugins", "enable", "mine"], [[ASKED, ["Enter"]]], /\[ended 4\]/, 130);
    assert.match((await user.run(["plugins", "list", "--user"])).out, /its files differ from the installed ones/);
    await answers(user, ["plugins", "enable", "mine"], [[ASKED, ["y", "Enter"]]], /is enabled\.\n\[ended 0\]/, 130);
    assert.deepEqual(JSON.parse((await user.run(["tools", "call", "read_file", "{}"])).out), { mine: true });
  },
);
