import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_TMUX, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

/** A variable with a notice: it is not used as the user may think. */
const VARIABLES = "OPENAI_BASE_URL=http://127.0.0.1:9/v1\n";
const HELP = ["chat", "-q", "help"];

// field: C14
test(
  "a one-shot prints a notice once a day on a terminal and never into a pipe; doctor lists all",
  { skip: NO_TMUX },
  async () => {
    using user = new NewUser({ HERMES_NOTICES: "" });
    user.write("~/.hermes/.env", VARIABLES);
    const piped = await user.run(HELP);
    assert.deepEqual([piped.status, piped.err], [0, ""]);
    const env = { HERMES_NOTICES: "daily" };
    const shown = async (): Promise<string> => {
      await using terminal = await UserTerminal.open(user, HELP, { env, columns: 200 });
      return await terminal.until(/\[ended 0\]/);
    };
    const first = await shown();
    assert.match(first, /No model is configured/);
    assert.match(first, /OPENAI_BASE_URL is set, but it does not choose/);
    const second = await shown();
    assert.doesNotMatch(second, /No model is configured|OPENAI_BASE_URL/);
    const doctor = (await user.run(["doctor"])).out;
    assert.match(doctor, /model +none configured/);
    assert.match(doctor, /✓ notice +OPENAI_BASE_URL is set/);
  },
);

// field: C14
test("HERMES_NOTICES and display.notices show notices always or never; an invalid config.yaml is always reported", async () => {
  using user = new NewUser({ HERMES_NOTICES: "" });
  user.write("~/.hermes/.env", VARIABLES);
  assert.match((await user.run(HELP, undefined, { HERMES_NOTICES: "always" })).err, /No model is configured/);
  await user.run(["config", "set", "display.notices", "always"]);
  assert.match((await user.run(HELP)).err, /OPENAI_BASE_URL is set/);
  await user.run(["config", "set", "display.notices", "never"]);
  assert.equal((await user.run(HELP)).err, "");
  user.write("~/.hermes/config.yaml", "display:\n  notices: never\nagent:\n  max_trns: 3\n");
  const broken = await user.run(HELP);
  assert.match(broken.err, /max_trns/);
});
