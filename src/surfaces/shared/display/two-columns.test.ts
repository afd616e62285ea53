import assert from "node:assert/strict";
import { test } from "node:test";
import { twoColumns } from "./two-columns.ts";

test("aligns texts in a column, also with emoji; a long head goes above its text", () => {
  const rows = [
    { head: "✓ 💻 terminal", text: "Runs a bash command where the session works." },
    { head: "✗ ⚙️ ps", text: "Nothing." },
    { head: "✓ 📖 a_tool_with_a_long_name", text: "Reads." },
  ];
  assert.equal(
    twoColumns([rows, [{ head: "Esc", text: "stop" }]], 42),
    [
      "✓ 💻 terminal   Runs a bash command where",
      "                the session works.",
      "✗ ⚙️ ps         Nothing.",
      "✓ 📖 a_tool_with_a_long_name",
      "                Reads.",
      "",
      "Esc             stop",
    ].join("\n"),
  );
  assert.equal(twoColumns([rows.slice(0, 1)]), "✓ 💻 terminal  Runs a bash command where the session works.");
});
