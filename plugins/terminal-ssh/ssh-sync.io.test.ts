import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { SshBackend } from "./ssh-backend.ts";
import { Sshd, WITHOUT_SSHD } from "./testing/sshd.ts";
import { Synced } from "./testing/synced.ts";
import { waitFor } from "hermes-agent/testing";

const host = WITHOUT_SSHD === undefined ? await Sshd.start() : undefined;
const signal = new AbortController().signal;

describe("files synced with a host", { skip: WITHOUT_SSHD ?? false }, () => {
  after(() => host?.[Symbol.asyncDispose]());

  test("a command finds the start directory on the host, and its results arrive here when the session ends", async () => {
    using place = new Synced(host!);
    place.write("here/src/漢 'name.txt", "one\n");
    place.write("here/run.sh", "#!/bin/sh\necho ran\n", 0o755);
    place.write("here/empty", "");
    const seen = await place.with(async (_, run) => {
      const first = await run("pwd; cat src/*; ./run.sh; ls -A");
      await run(
        "mkdir -p out/deep; echo result > out/deep/result; echo two >> src/*.txt; rm empty; printf 'x' > tool; chmod +x tool",
      );
      return first;
    });
    assert.equal(seen, `${place.there}\none\nran\nempty\nrun.sh\nsrc\n`);
    assert.deepEqual(place.files("here"), ["out/deep/result", "run.sh", "src/漢 'name.txt", "tool"]);
    assert.equal(place.read("here/src/漢 'name.txt"), "one\ntwo\n");
    assert.equal(statSync(join(place.here, "tool")).mode & 0o111, 0o111);
  });

  test("fetches results after a moment of idling, and the next command sees the user's changes", async () => {
    using place = new Synced(host!);
    place.write("here/notes", "first");
    await place.with(async (terminal, run) => {
      await run("echo made > made");
      await waitFor(() => place.read("here/made") === "made\n");
      place.write("here/notes", "changed by a person");
      rmSync(join(place.here, "made"));
      assert.equal(await run("cat notes; [ -e made ] || echo ' gone'"), "changed by a person gone\n");
      await terminal.files.write("by-tool", Buffer.from("written"));
      await waitFor(() => place.read("here/by-tool") === "written");
    });
  });

  test("a change made here after a fetch reaches the next command, however soon, and is not undone by it", async () => {
    using place = new Synced(host!);
    place.write("here/removed", "old");
    place.write("here/changed", "old");
    await using backend = place.backend({ force_file_sync: false });
    const terminal = await backend.open({ key: "task" }, signal);
    const run = async (command: string) => (await terminal.run(command, { signal, timeoutMs: 120_000 })).output;
    await run("rm removed; echo new > changed");
    const [brought, ...more] = await backend.settle();
    assert.deepEqual([place.files("here"), place.read("here/changed"), more], [["changed"], "new\n", []]);
    const { ctimeMs } = statSync(join(place.here, "changed"));
    assert.ok(
      brought!.from - 20 <= ctimeMs && ctimeMs <= brought!.to + 20,
      "settle() reports when the file was written",
    );
    place.write("here/removed", "back");
    place.write("here/changed", "back");
    assert.equal(await run("cat removed changed"), "backback");
    assert.equal((await backend.settle()).length, 1, "nothing was fetched again");
    assert.deepEqual([place.read("here/removed"), place.read("here/changed")], ["back", "back"]);
  });

  test("after a restart deletions go both ways, but an environment that lost everything deletes nothing", async () => {
    using place = new Synced(host!);
    for (const name of ["a", "b", "deep/c"]) place.write(`here/${name}`, name);
    await place.with((_, run) => run("true"));
    rmSync(join(place.here, "a"));
    await place.with((_, run) => run("rm -r deep"));
    assert.deepEqual(
      [place.files("here"), place.files("there"), existsSync(join(place.here, "deep"))],
      [["b"], ["b"], false],
    );
    rmSync(place.there, { recursive: true });
    assert.equal(await place.with((_, run) => run("cat b")), "b");
    await place.with(async (_, run) => {
      rmSync(place.there, { recursive: true });
      await host!.cut();
      await wait(500);
      assert.equal(await run("cat b"), "b", "also within a session");
    });
    rmSync(join(place.there, "b"));
    await place.with((_, run) => run("true"));
    assert.deepEqual([place.files("here"), place.files("there")], [["b"], ["b"]]);
  });

  test("reports a change on both sides and touches neither; the next change on either side wins", async () => {
    using place = new Synced(host!);
    place.write("here/notes", "base");
    place.write("here/other", "other");
    const notes = await place.with(async (terminal, run) => {
      await run("true");
      await wait(2_500);
      // Between the look before a command and the one after it.
      const running = run("touch begun; until [ -e go ]; do sleep 0.05; done; echo theirs > notes; rm other begun go");
      await waitFor(() => place.read("there/begun") !== undefined);
      place.write("here/notes", "mine");
      place.write("here/other", "mine too");
      place.write("there/go", "");
      await running;
      await waitFor(() => place.files("agent/sandboxes/sync/kept").length > 0);
      assert.deepEqual(
        [place.read("here/notes"), place.read("there/notes"), place.read("here/other"), place.read("there/other")],
        ["mine", "theirs\n", "mine too", undefined],
      );
      const message: string[] = [];
      await waitFor(() => message.push(...terminal.notes!()) > 0);
      return message;
    });
    assert.equal(notes.length, 2, notes.join("\n"));
    assert.match(
      notes[0]!,
      /^CONFLICT: "notes" \(the workspace\) was changed here and in the terminal backend; Hermes left both as they are\. The terminal backend's version is saved in (\S+)\. The next change/,
    );
    assert.match(notes[1]!, /^CONFLICT: "other" .* was changed here and removed in the terminal backend/);
    assert.equal(readFileSync(/saved in (\S+)\. /.exec(notes[0]!)![1]!, "utf8"), "theirs\n");
    // At rest as they are, also for the next start, until one of them changes.
    assert.equal(await place.with((_, run) => run("cat notes")), "theirs\n");
    assert.equal(place.read("here/notes"), "mine");
    place.write("here/notes", "mine, decided");
    assert.equal(await place.with((_, run) => run("cat notes")), "mine, decided");
  });

  test("reports a conflict at the next start if it was not reported before the end", async () => {
    using place = new Synced(host!);
    place.write("here/notes", "mine");
    place.write("there/notes", "theirs");
    await place.with(async () => {});
    const [notes, again] = await place.with(async (terminal) => [terminal.notes!(), terminal.notes!()]);
    assert.match(notes!.join(), /CONFLICT: "notes"/);
    assert.deepEqual(again, []);
    assert.deepEqual([place.read("here/notes"), place.read("there/notes")], ["mine", "theirs"]);
  });

  test("keeps replaced and removed local files for a while", async () => {
    using place = new Synced(host!);
    place.write("here/a", "old a");
    place.write("here/b", "old b");
    await place.with((_, run) => run("echo new > a; rm b"));
    const saved = place.files("agent/sandboxes/sync/kept");
    assert.deepEqual(saved.map((name) => place.read(`agent/sandboxes/sync/kept/${name}`)).sort(), ["old a", "old b"]);
  });

  test("does not send secrets, repositories, packages and links, and reports the secrets", async () => {
    using place = new Synced(host!);
    place.write("outside/file", "outside");
    for (const name of [".env", ".env.example", "id_rsa", ".git/config", "node_modules/x/index.js", "ok"])
      place.write(`here/${name}`, name);
    place.write("here/server.pem", `-----BEGIN ${"PRIVATE"} KEY-----\nabc\n`);
    symlinkSync(join(place.folder, "outside"), join(place.here, "folder-link"));
    symlinkSync(join(place.folder, "outside/file"), join(place.here, "file-link"));
    const notes = await place.with(async (terminal, run) => {
      await run("true");
      return terminal.notes!();
    });
    assert.deepEqual(place.files("there"), [".env.example", "ok"]);
    assert.equal(notes.length, 1);
    assert.match(
      notes[0]!,
      /contains secrets[^:]*: ".env", "id_rsa", "server.pem" \(the workspace\)\. List files to send in terminal\.credential_files/,
    );
  });

  test("does not fetch protected names or files behind links from the environment", async () => {
    using place = new Synced(host!);
    place.write("here/.git/config", "[core]\n");
    place.write("here/ok", "ok");
    place.write("outside/target", "untouched");
    const notes = await place.with(async (terminal, run) => {
      await run(
        "mkdir -p .git/hooks .vscode sub/.git/hooks .ssh; echo evil | tee .git/hooks/pre-commit sub/.git/hooks/post-checkout .vscode/tasks.json .envrc .env id_ed25519 >/dev/null; echo fine > fine; ln -s /etc/hostname leak; ln -s ../outside out",
      );
      const message: string[] = [];
      await waitFor(() => message.push(...terminal.notes!()) > 0);
      return message;
    });
    assert.deepEqual(place.files("here"), [".git/config", "fine", "ok"]);
    assert.match(
      notes.join(),
      /but not copied here because the name is protected: ".env", ".envrc", ".vscode\/tasks.json", "id_ed25519"/,
    );
    // Here a folder became a link: nothing is written through it.
    mkdirSync(join(place.here, "linked"));
    place.write("here/linked/file", "inside");
    await place.with((_, run) => run("true"));
    renameSync(join(place.here, "linked"), join(place.here, "moved"));
    symlinkSync(join(place.folder, "outside"), join(place.here, "linked"));
    await place.with((_, run) => run("echo through > linked/target"));
    assert.deepEqual([place.read("outside/target"), place.files("outside")], ["untouched", ["target"]]);
  });

  test("writes nothing through a link in the environment", async () => {
    using place = new Synced(host!);
    place.write("outside/kept", "kept");
    mkdirSync(place.there);
    symlinkSync(join(place.folder, "outside"), join(place.there, "linked"));
    place.write("here/linked/kept", "through");
    place.write("here/linked/deep/new", "through");
    await place.with((_, run) => run("true"));
    assert.deepEqual([place.files("outside"), place.read("outside/kept")], [["kept"], "kept"]);
  });

  test("sends declared credential files readable only by their owner, and from the agent's home only skills and received files", async () => {
    using place = new Synced(host!);
    place.write("agent/google_token.json", "token", 0o644);
    place.write("agent/services/key.pem", `-----BEGIN ${"PRIVATE"} KEY-----\nabc\n`, 0o644);
    place.write("agent/other_token.json", "not declared");
    place.write("agent/auth.json", "the agent's own");
    place.write("agent/.env", "KEY=value");
    place.write("agent/skills/one/SKILL.md", "# One");
    place.write("agent/skills/.hub/lock.json", "hub");
    place.write("agent/cache/documents/report.pdf", "report");
    symlinkSync(join(place.home, "other_token.json"), join(place.home, "linked.json"));
    const credential_files = [
      "google_token.json",
      "services/key.pem",
      "auth.json",
      ".env",
      "../here/x",
      "/etc/hostname",
      "missing.json",
      "linked.json",
    ];
    const off = { sync_cwd_to_workspace: false, cwd: "~" };
    const list = `cd ~/.hermes && find . -type f ! -path './.sync/*' -exec stat -c '%a %n' {} + | sort -k2; stat -c %a services`;
    const [files, notes] = await place.with(async (terminal, run) => [await run(list), terminal.notes!()], {
      ...off,
      credential_files,
    });
    assert.equal(
      files,
      "600 ./cache/documents/report.pdf\n600 ./google_token.json\n600 ./services/key.pem\n600 ./skills/one/SKILL.md\n700\n",
    );
    assert.deepEqual(
      notes.map((note) => /files: (".*?") is not sent/.exec(note)?.[1] ?? note),
      ['"auth.json"', '".env"', '"../here/x"', '"/etc/hostname"', '"missing.json"', '"linked.json"'],
    );
    // The host's changes stay; files deleted there are sent again, and files no longer declared are removed.
    await place.with(
      async (_, run) =>
        run(
          `cd ~/.hermes; echo evil > skills/one/SKILL.md; echo more > skills/evil; rm google_token.json; echo stolen > services/key.pem`,
        ),
      { ...off, credential_files },
    );
    assert.deepEqual(
      [place.read("agent/skills/one/SKILL.md"), place.read("agent/skills/evil"), place.read("agent/google_token.json")],
      ["# One", undefined, "token"],
    );
    assert.equal(
      await place.with((_, run) => run(`cat ~/.hermes/google_token.json`), { ...off, credential_files }),
      "token",
    );
    await place.with((_, run) => run("true"), off);
    assert.equal(
      await place.with((_, run) => run(`cd ~/.hermes; ls google_token.json 2>/dev/null; cat skills/one/SKILL.md`), off),
      "evil\n",
    );
  });

  test("reports and does not send large files, a home directory or a folder with too many files", async () => {
    using place = new Synced(host!);
    place.write("here/small", "small");
    writeFileSync(join(place.here, "large"), Buffer.alloc(65_000_000));
    const notes = await place.with(async (terminal) => terminal.notes!());
    assert.deepEqual(place.files("there"), ["small"]);
    assert.match(notes.join(), /larger than 64 MB: "large"/);
    for (let count = 0; count < 16; count += 1) {
      place.write(`here/part${count}`, "");
      truncateSync(join(place.here, `part${count}`), 63_000_000);
    }
    const message = await place.with(async (terminal) => terminal.notes!());
    assert.match(message.join(), /is not synced: one side has more than 20000 files or 1 GB/);
    assert.deepEqual(place.files("there"), ["small"]);
    const { config, agent } = place.setUp();
    await using wide = new SshBackend(config, { ...agent, startDirectory: homedir() });
    const terminal = await wide.open({ key: "wide", cwd: place.home }, signal);
    assert.match(terminal.notes!().join(), /is not synced: it is a home directory/);
  });

  test("a killed agent leaves no partial file, and the next one continues the sync", async () => {
    // Where this process is not let look before all is there, the next try has more on its way.
    for (let count = 600; !(await killedInTheMiddle(count)); count *= 4)
      assert.ok(count < 10_000, "it was never killed in the middle");
  });

  test("a command cancelled during its file transfer ends at once and does not run", async () => {
    using place = new Synced(host!);
    await place.with(async (terminal) => {
      for (let count = 0; count < 400; count += 1) place.write(`here/d${count}/f`, "text");
      const stop = new AbortController();
      setImmediate(() => stop.abort());
      const result = await terminal.run("echo ran > ran", { signal: stop.signal, timeoutMs: 120_000 });
      assert.equal(result.endedBy, "cancelled");
      assert.equal(place.read("there/d399/f"), undefined, "its files are still on their way");
    });
    assert.equal(place.read("there/ran"), undefined);
    assert.equal(place.read("there/d399/f"), "text", "the file transfer continues");
  });

  test("sends nothing without the setting, and does no work for a home with nothing to share", async () => {
    using place = new Synced(host!);
    place.write("here/file", "private");
    const seen = await place.with((_, run) => run("pwd; ls -A"), { sync_cwd_to_workspace: false, cwd: place.home });
    assert.equal(seen, `${place.home}\n`);
    assert.deepEqual([existsSync(place.there), place.files("agent")], [false, []]);
  });
});

/** @returns Whether it was in the middle. */
async function killedInTheMiddle(count: number): Promise<boolean> {
  using place = new Synced(host!);
  for (let at = 0; at < count; at += 1) place.write(`here/d${at % 100}/f${at}`, "x".repeat(2_000));
  const agent = spawn(
    process.execPath,
    ["--conditions=hermes-source", join(import.meta.dirname, "testing/agent.ts"), JSON.stringify(place.setUp())],
    { stdio: "inherit" },
  );
  const ended = new Promise((resolve) => agent.once("exit", (_, name) => resolve(name)));
  await waitFor(() => place.files("there").filter((name) => !name.startsWith(".")).length > 10);
  agent.kill("SIGKILL");
  assert.equal(await ended, "SIGKILL");
  const sent = place.files("there").filter((file) => !file.startsWith(".hermes-sync-"));
  if (sent.length === count) return false;
  for (const name of sent) assert.equal(place.read(`there/${name}`)!.length, 2_000, name);
  place.write("here/.hermes-sync-left", "half");
  utimesSync(join(place.here, ".hermes-sync-left"), 1, 1);
  assert.equal(
    await place.with((_, run) => run("find . -type f | wc -l; ls -d .hermes-sync-* 2>/dev/null")),
    `${count}\n`,
  );
  assert.deepEqual(
    place.files("here").filter((name) => name.startsWith(".")),
    [],
  );
  return true;
}
