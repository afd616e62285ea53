import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { quietLog, waitFor } from "hermes-agent/testing";
import { LocalBackend } from "../../terminal-local/local-backend.ts";

const { signal } = new AbortController();
const skip = spawnSync("python3", ["--version"]).error !== undefined && "no python3 to make a pseudo-terminal with";

// req: terminal.pty
test(
  "a program in a pseudo-terminal gets the size of the agent's screen, and follows its changes",
  { skip },
  async () => {
    await using backend = new LocalBackend({}, quietLog());
    const terminal = await backend.open({ key: "screen" }, signal);
    // An agent on a screen, whose program in a pseudo-terminal is played by one that prints the sizes it is given.
    const agent = `
    import { followScreen, screenSize } from ${JSON.stringify(join(import.meta.dirname, "screen-size.ts"))};
    console.log("starts", JSON.stringify(screenSize()));
    let end;
    followScreen({ resize: async (size) => console.log("told", JSON.stringify(size)), ended: new Promise((resolve) => (end = resolve)) });
    process.stdin.once("data", () => { end(); process.stdin.pause(); setImmediate(() => console.log("listeners " + process.stdout.listenerCount("resize"))); });`;
    const screen = await terminal.spawn(`${process.execPath} --input-type=module -e '${agent}'`, {
      pty: true,
      size: { rows: 40, columns: 100 },
    });
    await waitFor(() => screen.output().text.includes('starts {"rows":40,"columns":100}'));
    for (const columns of [101, 102, 103]) await screen.resize!({ rows: 41, columns });
    await waitFor(() => screen.output().text.includes('told {"rows":41,"columns":103}'));
    await screen.write("\n");
    await screen.ended;
    assert.match(screen.output().text, /listeners 0/);
  },
);

test("without a screen the size is undefined", () => {
  const script = `import { screenSize } from ${JSON.stringify(join(import.meta.dirname, "screen-size.ts"))}; console.log(screenSize());`;
  assert.equal(
    spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).stdout,
    "undefined\n",
  );
});
