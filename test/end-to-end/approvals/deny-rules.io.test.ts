import assert from "node:assert/strict";
import { test } from "node:test";
import { NewUser } from "../support/test-user.ts";

test("the user's deny rule wins over --yolo, for the offline model and for manual calls", async () => {
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", 'approvals:\n  mode: "off"\n  deny:\n    - "touch *"\n    - "*/secret.txt"\n');
  user.write("secret.txt", "the secret words");
  const run = await user.run(["tools", "call", "terminal", '{"command":"cd . && touch made"}']);
  assert.match(run.out, /approvals\.deny: touch \*/);
  const read = await user.run(["tools", "call", "read_file", '{"path":"secret.txt"}']);
  assert.match(read.out, /approvals\.deny: \*\/secret\.txt/);
  const chat = await user.run(["chat", "--yolo", "-q", "run touch made"]);
  assert.match(chat.out + chat.err, /approvals\.deny/);
  const seen = await user.run(["tools", "call", "terminal", '{"command":"ls"}']);
  assert.doesNotMatch(seen.out, /made/);
});
