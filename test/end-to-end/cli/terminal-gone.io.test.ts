import assert from "node:assert/strict";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, obliging, UserTerminal, READY } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";

interface Listed {
  readonly kind: string;
  readonly command: string;
  readonly end: { readonly reason: string; readonly source: string } | null;
}

const REPLIES = {
  serve: { calls: [{ tool: "terminal", args: { command: "sleep 86400", background: true } }] },
  both: {
    calls: [
      { tool: "terminal", args: { command: "sleep 86400", background: true } },
      { tool: "terminal", args: { command: "sleep 500" } },
    ],
  },
};

/** The output of `hermes ps`, once it contains this. */
async function listed(
  user: NewUser,
  args: readonly string[],
  holds: (all: readonly Listed[]) => boolean,
): Promise<readonly Listed[]> {
  let all: readonly Listed[] = [];
  await waitFor(
    async () => {
      all = JSON.parse((await user.run(["ps", ...args, "--json"])).out) as readonly Listed[];
      return holds(all);
    },
    { what: `hermes ps lists what fits ${String(holds)}`, state: () => all },
  );
  return all;
}

// row 50 of the fault matrix
// req
for (const [what, args, line] of [
  ["a conversation", [], "serve"],
  ["one question", ["chat", "-q", "both"], undefined],
] as const) {
  test(`closing the terminal ends ${what} and its processes, and ps --all lists them`, { skip: NO_TMUX }, async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(obliging(REPLIES));
    user.connect("custom", server.url);
    {
      await using terminal = await UserTerminal.open(user, args);
      if (line !== undefined) {
        await terminal.until(READY);
        await terminal.say(line);
      }
      await listed(user, [], (all) => all.some(({ kind }) => kind === "background"));
    }
    const [ended] = await listed(user, ["--all"], (all) => all.length === 1 && all[0]!.end !== null);
    assert.deepEqual([ended!.command, ended!.end!.reason], ["sleep 86400", "killed"]);
  });
}
