import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, obliging, UserTerminal, READY } from "../support/interactive-terminal.ts";
import { pathWithout } from "../../path-without.ts";
import { NewUser } from "../support/test-user.ts";

const skip = NO_TMUX;
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

interface Asked {
  readonly messages: readonly {
    readonly role: string;
    readonly content:
      | string
      | readonly { readonly type: string; readonly text?: string; readonly image_url?: { readonly url: string } }[];
  }[];
}

test("/image and /paste attach pictures to the next message only", { skip }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer(obliging({}));
  user.connect("custom", server.url);
  writeFileSync(join(user.folder, "my shot.png"), Buffer.from(PNG, "base64"));
  user.write("notes.txt", "words");
  // Replaces the clipboard program: the real one needs a screen.
  const xclip = user.write(
    "bin/xclip",
    `#!/bin/sh\n[ "$*" = "-selection clipboard -target image/png -out" ] && echo ${PNG} | base64 -d\n`,
  );
  chmodSync(xclip, 0o755);
  const env = { DISPLAY: ":7", PATH: `${dirname(xclip)}:${process.env["PATH"]}` };
  await using terminal = await UserTerminal.open(user, [], { env });
  await terminal.until(READY);
  await terminal.say("/image notes.txt");
  await terminal.until(/"[^"]*notes\.txt" is not an image that models can read\./);
  await terminal.say("/image nowhere.png");
  await terminal.until(/There is no file "[^"]*nowhere\.png"\./);
  await terminal.say("/image my\\ shot.png");
  await terminal.until(/my shot\.png is attached to your next message\.[^]*\n \[image 1: my shot\.png\]\n─/);
  await terminal.say("/paste");
  await terminal.until(/\[image 1: my shot\.png\] \[image 2: clipboard\]/);
  await terminal.say("what is it");
  await terminal.until(/Yes\?/);
  assert.doesNotMatch(await terminal.screen(), /\[image 1/);
  const url = `data:image/png;base64,${PNG}`;
  const first = (JSON.parse(server.requests.at(-1)!.body) as Asked).messages.at(-1)!.content;
  assert.deepEqual(
    Array.isArray(first) &&
      first
        .map(
          (part: { readonly text?: string; readonly image_url?: { readonly url: string } }) =>
            part.image_url?.url ?? part.text?.split("\n\n").at(-1),
        )
        .slice(-3),
    ["what is it", url, url],
  );
  await terminal.say("and now");
  await terminal.until((screen) => screen.split("Yes?").length === 3);
  const second = (JSON.parse(server.requests.at(-1)!.body) as Asked).messages.at(-1)!.content;
  assert.doesNotMatch(JSON.stringify(second), /image/);
});

test("/paste reports what is missing: a screen, a program, an image", { skip }, async () => {
  using user = new NewUser();
  {
    await using terminal = await UserTerminal.open(user);
    await terminal.until(READY);
    await terminal.say("/paste");
    await terminal.until(/Cannot read the clipboard: this machine has no display[^]*\/image PATH/);
  }
  const xclip = user.write("bin/xclip", "#!/bin/sh\nexit 1\n");
  using programs = pathWithout("xclip");
  await using bare = await UserTerminal.open(user, [], { env: { DISPLAY: ":7", PATH: programs.path } });
  await bare.until(READY);
  await bare.say("/paste");
  await bare.until(/xclip is required to read the clipboard, but is not installed\./);
  chmodSync(xclip, 0o755);
  await using empty = await UserTerminal.open(user, [], {
    env: { DISPLAY: ":7", PATH: `${dirname(xclip)}:${process.env["PATH"]}` },
  });
  await empty.until(READY);
  await empty.say("/paste");
  const screen = await empty.until(/The clipboard contains no image\./);
  assert.doesNotMatch(screen, /is required to read the clipboard/);
});
