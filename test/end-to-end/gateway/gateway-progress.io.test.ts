import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chatScene } from "../support/chatting.ts";

const CLI_ONLY =
  "skin snapshot gquota reload tools toolsets browser config cron skills platforms paste image statusbar plugins busy indicator mcp redraw clear history save copy quit verbose".split(
    " ",
  );
const OWN_KEY = "sk-live-0123456789abcdefghijklmnop";

// req: slash.cli-only
test("commands of the screen refuse to run in a chat and name the CLI; a setting allows /verbose in chats", async () => {
  await using scene = await chatScene([{ text: "unused" }]);
  const { chat, prompter: user } = scene;
  const message = async (text: string): Promise<string> => {
    await chat.write("room", "ada", text);
    return (await chat.arrived()).text;
  };
  await scene.serve();
  for (const name of CLI_ONLY) assert.equal(await message(`/${name}`), `/${name} works only in the CLI.`);
  assert.equal(scene.model.requests.length, 0, "none of it reached the model");
  const listed = [
    ...readFileSync(join(import.meta.dirname, "../../../docs/reference/slash-commands.md"), "utf8").matchAll(
      /^\| `\/([\w-]+).*\| (.*)\|$/gm,
    ),
  ]
    .filter(([, , chats]) => chats !== "yes ")
    .map(([, name]) => name!);
  const onScreens = ["reasoning", "timestamps", "continue"];
  assert.deepEqual(listed.filter((name) => !onScreens.includes(name)).sort(), [...CLI_ONLY].sort());
  for (const name of CLI_ONLY) {
    const { out, err } = await user.run(["chat", "-Q", "-q", `/${name}`]);
    assert.doesNotMatch(out + err, /Unknown command|CLI only|does not work here/, name);
    assert.match(out + err, /\S/, name);
  }
  assert.equal((await user.run(["config", "set", "display.tool_progress_command", "true"])).status, 0);
  // A changed setting applies from the next message.
  const modes = [
    await message("/verbose"),
    await message("/verbose"),
    await message("/verbose"),
    await message("/verbose"),
    await message("/verbose sideways"),
    await message("/verbose all"),
  ];
  assert.deepEqual(modes, [
    "Tool calls on loopback-chat: shown when the tool changes.",
    "Tool calls on loopback-chat: shown.",
    "Tool calls on loopback-chat: shown with arguments and results.",
    "Tool calls on loopback-chat: not shown.",
    "Usage: /verbose off|new|all|verbose. Current: off.",
    "Tool calls on loopback-chat: shown.",
  ]);
  assert.match(await message("/help"), /^\/verbose/m);
  assert.match(
    readFileSync(join(user.agentHome, "config.yaml"), "utf8"),
    /platforms:\n +loopback-chat:\n +tool_progress: all/,
  );
});

test("shows tool progress in one edited message, masked and short, and the answer in another", async () => {
  const calls = Array.from({ length: 15 }, (_, at) => ({
    calls: [{ tool: "terminal", args: { command: `echo step ${at} ${OWN_KEY}` } }],
  }));
  await using scene = await chatScene([...calls, { text: "All done." }], {
    config: "display:\n  platforms:\n    loopback-chat:\n      tool_progress: all\n",
  });
  const { chat } = scene;
  await scene.serve();
  await chat.write("room", "ada", "fifteen steps");
  await chat.until(
    () => chat.shown("room").includes("All done.") && chat.seen.some(({ text }) => text.includes("step 14")),
  );
  const shown = chat.shown("room");
  assert.equal(shown.length, 2, shown.join("\n---\n"));
  const progress = shown.find((text) => text !== "All done.")!;
  assert.match(progress, /^… 3 before\n💻 terminal: `echo step 3 /);
  assert.equal(progress.split("\n").length, 13);
  assert.ok(!chat.seen.some(({ text }) => text.includes(OWN_KEY.slice(8))), "no secret is shown");
});

test("shows no tool progress by default", async () => {
  await using scene = await chatScene([
    { calls: [{ tool: "terminal", args: { command: "echo hi" } }] },
    { text: "Done." },
  ]);
  await scene.serve();
  await scene.chat.write("room", "ada", "go");
  assert.equal((await scene.chat.arrived()).text, "Done.");
  assert.equal(scene.chat.seen.length, 1);
});
