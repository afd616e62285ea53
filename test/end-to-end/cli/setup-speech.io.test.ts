import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NO_TMUX, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

// req: tool-tts.nine-providers
test(
  "setup tts lists the nine providers and reads the chosen one's key without echo",
  { skip: NO_TMUX, timeout: 180_000 },
  async () => {
    using user = new NewUser();
    await using terminal = await UserTerminal.open(user, ["setup", "tts"]);
    const screen = await terminal.until(/Backend for speech[^]*type to filter/);
    for (const name of ["edge", "elevenlabs", "openai", "minimax", "mistral", "gemini", "xai", "neutts", "kittentts"])
      assert.match(screen, new RegExp(`^ +\\d\\. ${name}: `, "m"));
    await terminal.type(/(\d)\. elevenlabs/.exec(screen)![1]!);
    await terminal.press("Enter");
    await terminal.until(/ElevenLabs API key \(Enter skips it\):/);
    await terminal.type("el-live-0123456789");
    await terminal.press("Enter");
    await terminal.until(/Backend for transcription|\[ended/);
    await terminal.press("Enter");
    await terminal.until(/\[ended/);
    assert.doesNotMatch(await terminal.screen({ scrollback: true }), /el-live/);
    assert.match(readFileSync(join(user.agentHome, "config.yaml"), "utf8"), /provider: elevenlabs/);
    assert.match(readFileSync(join(user.agentHome, ".env"), "utf8"), /ELEVENLABS_API_KEY=.?el-live-0123456789/);
  },
);
