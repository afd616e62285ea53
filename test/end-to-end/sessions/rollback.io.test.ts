import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Sshd, WITHOUT_SSHD } from "../../../plugins/terminal-ssh/testing/sshd.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, obliging, UserTerminal, READY } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

function project(user: NewUser) {
  mkdirSync(join(user.folder, ".git"));
  user.write(".gitignore", "kept.env\n");
  user.write("kept.env", "KEY=1\n");
  return { run: (args: readonly string[]) => user.run(args), path: (name: string) => join(user.folder, name) };
}

// req: R-71, terminal.checkpoint-before-destructive, terminal.checkpoint-before-file-tools
test("rollback restores an ignored file that a command removed and a file that a tool wrote, and redo reverts it", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([
    { text: "Hello." },
    { calls: [{ tool: "terminal", args: { command: "rm kept.env" } }] },
    { calls: [{ tool: "write_file", args: { path: "made.txt", content: "made\n" } }] },
    { calls: [{ tool: "terminal", args: { command: "echo hi > said.txt && ./nothing-known-of-it; true" } }] },
    { text: "Removed it." },
    { text: "Before all that." },
  ]);
  user.connect("custom", server.url);
  const { run, path } = project(user);
  await run(["chat", "-q", "hello"]);
  const cleaned = await run(["chat", "--continue", "-q", "clean up"]);
  assert.equal(cleaned.status, 0, cleaned.err);
  assert.deepEqual([existsSync(path("kept.env")), existsSync(path("made.txt"))], [false, true]);

  const list = await run(["rollback"]);
  assert.match(list.out, /^ {2}1 .* before: terminal rm kept\.env {2}in /m);
  assert.match((await run(["rollback", "diff", "1"])).out, /^\+KEY=1$/m);
  const back = await run(["rollback", "restore", "1", "--json"]);
  assert.equal(back.status, 0, back.err);
  const report = JSON.parse(back.out) as { sessionId: string; failed: unknown[]; notUndone: string[] };
  assert.deepEqual(
    [readFileSync(path("kept.env"), "utf8"), existsSync(path("made.txt")), existsSync(path("said.txt"))],
    ["KEY=1\n", false, false],
  );
  assert.deepEqual(report.notUndone, ["echo hi > said.txt && ./nothing-known-of-it; true"]);
  const next = await run(["chat", "--resume", report.sessionId, "-q", "where are we?"]);
  assert.equal(next.status, 0, next.err);
  const sent = server.requests.at(-1)!.body;
  assert.match(sent, /hello.*Hello\..*where are we/s);
  assert.doesNotMatch(sent, /clean up|kept\.env/);

  const redo = await run(["rollback", "redo", "--session", report.sessionId]);
  assert.equal(redo.status, 0, redo.err);
  assert.deepEqual(
    [existsSync(path("kept.env")), readFileSync(path("made.txt"), "utf8"), readFileSync(path("said.txt"), "utf8")],
    [false, "made\n", "hi\n"],
  );
});

// req: slash.rollback
test(
  "/rollback lists the checkpoints of the folder, and restores files after a destructive command",
  { skip: NO_TMUX },
  async () => {
    using user = new NewUser();
    await using server = await startOpenAiServer(
      obliging({ clean: { calls: [{ tool: "terminal", args: { command: "rm kept.env && echo done" } }] } }),
    );
    user.connect("custom", server.url);
    const { path } = project(user);
    await using terminal = await UserTerminal.open(user);
    await terminal.until(READY);
    await terminal.say("clean up");
    await terminal.until(/I have seen the result/);
    assert.equal(existsSync(path("kept.env")), false);
    await terminal.say("/rollback list");
    await terminal.until(/ 1 .* before: terminal rm kept\.env/);
    await terminal.say("/rollback");
    await terminal.until(/→ 1 terminal rm kept\.env[^]*\+KEY=1[^]*Enter restores/);
    await terminal.press("Enter");
    await terminal.until(/Files: 1 restored\.[^]*continues from that point\.\n *Use \/rollback redo to reverse this\./);
    assert.equal(readFileSync(path("kept.env"), "utf8"), "KEY=1\n");
    await terminal.say("/rollback redo");
    assert.doesNotMatch(
      await terminal.until(/Files: 1 removed\.[^]*continues from that point\./),
      /Files: 1 removed\.[^]*takes it back/,
    );
    assert.equal(existsSync(path("kept.env")), false);
  },
);

// req: R-71
test("a rollback to before the first message can be redone without naming the conversation", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([
    { calls: [{ tool: "terminal", args: { command: "rm kept.env" } }] },
    { text: "Removed it." },
  ]);
  user.connect("custom", server.url);
  const { run, path } = project(user);
  await run(["chat", "-q", "clean up"]);
  assert.match(
    (await run(["rollback", "frob"])).err,
    /Unknown rollback action "frob"[^]*list, diff, restore, redo or the number/,
  );
  assert.equal((await run(["rollback", "1"])).status, 0, "a number restores a checkpoint, as in a conversation");
  assert.ok(existsSync(path("kept.env")));
  const redo = await run(["rollback", "redo"]);
  assert.equal(redo.status, 0, redo.err);
  assert.equal(existsSync(path("kept.env")), false);
});

// req: R-71
test("a read-only command takes no checkpoint, and checkpoints can be disabled", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([
    { calls: [{ tool: "terminal", args: { command: "ls -a" } }] },
    { text: "Seen." },
    { calls: [{ tool: "terminal", args: { command: "rm kept.env" } }] },
    { text: "Gone." },
  ]);
  user.connect("custom", server.url);
  const { run } = project(user);
  await run(["chat", "-q", "look"]);
  await run(["config", "set", "checkpoints.enabled", "false"]);
  await run(["chat", "-q", "remove"]);
  assert.deepEqual(JSON.parse((await run(["checkpoints", "--json"])).out), { bytes: 0, checkpoints: 0, folders: [] });
  const none = await run(["rollback", "restore", "1"]);
  assert.deepEqual([none.status, /No turn of this conversation has a checkpoint/.test(none.err)], [2, true]);
});

// req: R-71
test(
  "a rollback restores what a command on another host changed, in the synced folder and on the host",
  { skip: WITHOUT_SSHD ?? false },
  async () => {
    await using host = await Sshd.start();
    using user = new NewUser();
    const there = join(user.home, "there");
    await using server = await startOpenAiServer([
      { calls: [{ tool: "terminal", args: { command: "echo new > made.txt; rm kept.txt" } }] },
      { text: "Removed it." },
      { calls: [{ tool: "terminal", args: { command: "cat kept.txt; ls" } }] },
      { text: "It is there." },
    ]);
    user.connect(
      "custom",
      server.url,
      `terminal: ${JSON.stringify(host.config({ backend: "ssh", sync_cwd_to_workspace: true, cwd: there }))}\n`,
    );
    user.write("kept.txt", "first words\n");
    const here = (): readonly string[] => readdirSync(user.folder).sort();
    const cleaned = await user.run(["chat", "-q", "clean up"]);
    assert.equal(cleaned.status, 0, cleaned.err);
    assert.deepEqual(
      [here(), readdirSync(there).filter((name) => !name.startsWith("."))],
      [["made.txt"], ["made.txt"]],
    );

    const list = await user.run(["rollback"]);
    assert.match(list.out, /^ {2}1 .* before: terminal echo new > made\.txt; rm kept\.txt {2}in /m);
    assert.match(list.out, /^Changes in ssh outside the synced files cannot be undone/m);
    const back = await user.run(["rollback", "restore", "1", "--json"]);
    assert.equal(back.status, 0, back.err);
    const report = JSON.parse(back.out) as { sessionId: string; failed: unknown[]; kept: unknown[] };
    assert.deepEqual(
      [here(), readFileSync(join(user.folder, "kept.txt"), "utf8"), report.failed, report.kept],
      [["kept.txt"], "first words\n", [], []],
    );

    const next = await user.run(["chat", "--resume", report.sessionId, "-q", "is it there?"]);
    assert.equal(next.status, 0, next.err);
    assert.match(server.requests.at(-1)!.body, /first words\\+nkept\.txt/);
    assert.deepEqual(here(), ["kept.txt"]);
  },
);
