import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NO_TMUX, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

// field: C03
test(
  "setup web lists search services, marks DuckDuckGo as current, and reads the chosen one's key without echo",
  { skip: NO_TMUX, timeout: 180_000 },
  async () => {
    using user = new NewUser();
    await using terminal = await UserTerminal.open(user, ["setup", "web"]);
    const screen = await terminal.until(/Backend for web search[^]*type to filter/);
    for (const name of ["brave-free", "ddgs", "exa", "firecrawl", "parallel", "searxng", "tavily", "xai"])
      assert.match(screen, new RegExp(`^\\W*\\d\\. ${name}: `, "m"));
    await terminal.type(/(\d)\. exa/.exec(screen)![1]!);
    await terminal.press("Enter");
    await terminal.until(/EXA_API_KEY[^]*\(Enter skips it\):/);
    await terminal.type("exa-live-0123456789");
    await terminal.press("Enter");
    await terminal.until(/\[ended/);
    assert.doesNotMatch(await terminal.screen({ scrollback: true }), /exa-live/);
    assert.match(readFileSync(join(user.agentHome, "config.yaml"), "utf8"), /backend: exa/);
    assert.match(readFileSync(join(user.agentHome, ".env"), "utf8"), /EXA_API_KEY=.?exa-live-0123456789/);
  },
);
