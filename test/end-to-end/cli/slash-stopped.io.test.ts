import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NO_TMUX, UserTerminal, READY } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

/** A plugin whose command waits until it is stopped, and creates a file when it begins. */
async function withWaiting(): Promise<NewUser> {
  const user = new NewUser();
  user.write("~/.hermes/plugins/patience/plugin.yaml", "name: patience\nversion: 1.0.0\ndescription: Waits\n");
  user.write(
    "~/.hermes/plugins/patience/index.mjs",
    `import { writeFileSync } from "node:fs";\nexport default (ctx) => ctx.command({ name: "wait", description: "Waits", run: (_, { signal }) => new Promise((resolve) => { signal.addEventListener("abort", () => resolve("Told to stop.")); writeFileSync(${JSON.stringify(join(user.folder, "begun"))}, ""); }) });\n`,
  );
  const { status, err } = await user.run(["plugins", "enable", "patience"]);
  assert.equal(status, 0, err);
  return user;
}

for (const [where, env, ready] of [
  ["on the screen", {}, READY],
  ["on a plain terminal", { TERM: "dumb" }, /\/quit exits/],
] as const) {
  test(`Ctrl-C stops a slow slash command, and the session continues: ${where}`, { skip: NO_TMUX }, async () => {
    using user = await withWaiting();
    await using terminal = await UserTerminal.open(user, [], { env });
    await terminal.until(ready);
    await terminal.say("/wait");
    await terminal.until(() => existsSync(join(user.folder, "begun")));
    if (where === "on the screen") await terminal.until(/^ Esc stops( · |$)/m);
    await terminal.press("C-c");
    await terminal.until(/Told to stop\.|stopped by you/);
    await terminal.say("/version");
    await terminal.until(/\/version[^]*\d+\.\d+\.\d+/);
    await terminal.say("/quit");
    const screen = await terminal.until(/\[ended 0\]/);
    assert.doesNotMatch(screen, /\[ended 130\]/);
  });
}
