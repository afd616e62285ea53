import assert from "node:assert/strict";
import { test } from "node:test";
import { hanging } from "./hanging-indent.ts";

test("wraps a long text with a hanging indent on a screen; a pipe or a narrow screen gets one line", () => {
  const text = "web/brave-free, web/searxng, web/tavily";
  assert.equal(
    hanging({ outIsTerminal: true, columns: 32 }, "\u001b[32m✓\u001b[39m plugins  ", text),
    "\u001b[32m✓\u001b[39m plugins  web/brave-free,\n           web/searxng,\n           web/tavily\n",
  );
  assert.equal(hanging({ outIsTerminal: false, columns: 32 }, "✓ plugins  ", text), `✓ plugins  ${text}\n`);
  assert.equal(hanging({ outIsTerminal: true, columns: 24 }, "✓ plugins  ", text), `✓ plugins  ${text}\n`);
});
