import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ProfileInfo } from "../../../src/contract/services/profile-service.ts";
import { chatScene, gone } from "../support/chatting.ts";
import { NewUser } from "../support/test-user.ts";

const names = async (user: NewUser): Promise<readonly string[]> =>
  (JSON.parse((await user.run(["profile", "list", "--json"])).out) as readonly ProfileInfo[]).map(
    ({ name, current, sticky }) => `${name}${current ? " current" : ""}${sticky ? " default" : ""}`,
  );

// field: C12
test("profiles are separate homes: create, use, describe, rename and delete", async () => {
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", "timezone: Europe/Berlin\n");
  user.write("~/.hermes/.env", "LAB_API_KEY=sk-abcdefghijklmnop\n");
  user.write("~/.hermes/memories/USER.md", "The cat is called Tom.\n");
  await user.run(["chat", "-q", "in the default profile"]);
  const made = await user.run(["profile", "create", "lab", "--clone", "--description", "for tests"]);
  assert.match(
    made.out,
    /^Created the profile "lab" in .*profiles\/lab\.\nCreated the command .*\.local\/bin\/lab\.\n/,
  );
  const lab = join(user.agentHome, "profiles/lab");
  for (const file of ["config.yaml", ".env", "memories/USER.md"])
    assert.equal(readFileSync(join(lab, file), "utf8"), readFileSync(join(user.agentHome, file), "utf8"), file);
  assert.equal(statSync(join(lab, ".env")).mode & 0o777, 0o600);
  assert.equal(existsSync(join(lab, "state.db")), false);
  assert.match((await user.run(["-p", "lab", "sessions", "list"])).err, /No sessions yet/);

  assert.deepEqual(await names(user), ["default current default", "lab"]);
  assert.match((await user.run(["profile", "use", "lab"])).out, /now use the profile "lab"/);
  assert.equal(readFileSync(join(user.agentHome, "active_profile"), "utf8"), "lab\n");
  assert.deepEqual(await names(user), ["default", "lab current default"]);
  assert.match((await user.run(["status"])).out, /profiles\/lab \(profile lab\)/);

  // The profile of the command itself cannot be renamed or deleted.
  for (const args of [
    ["profile", "rename", "lab", "bench"],
    ["profile", "delete", "lab", "--yes"],
  ]) {
    const refused = await user.run(args);
    assert.deepEqual([refused.status, refused.out], [1, ""]);
    assert.match(refused.err, /is in use by this command/);
  }
  assert.equal((await user.run(["-p", "default", "profile", "rename", "lab", "bench"])).status, 0);
  assert.equal(existsSync(join(user.home, ".local/bin/lab")), false);
  assert.match(
    readFileSync(join(user.home, ".local/bin/bench"), "utf8"),
    /^#!\/bin\/sh\nexec hermes -p bench "\$@"\n$/,
  );
  assert.deepEqual(await names(user), ["default", "bench current default"]);
  const shown = JSON.parse((await user.run(["profile", "show", "bench", "--json"])).out) as ProfileInfo;
  assert.deepEqual([shown.description, shown.hasEnv, shown.aliases], ["for tests", true, ["bench"]]);
  await user.run(["profile", "describe", "bench", "--text", "for speed"]);
  assert.equal((await user.run(["profile", "describe", "bench"])).out, "for speed\n");

  const asks = await user.run(["-p", "default", "profile", "delete", "bench"]);
  assert.match(asks.err, /Cannot ask for confirmation: there is no terminal\.\nRepeat the command with --yes/);
  assert.equal((await user.run(["-p", "default", "profile", "delete", "bench", "--yes"])).status, 0);
  assert.equal(existsSync(join(user.agentHome, "profiles/bench")), false);
  assert.equal(existsSync(join(user.home, ".local/bin/bench")), false);
  assert.deepEqual(await names(user), ["default current default"]);
});

test("refuses invalid, reserved, taken or unknown profile names, and suggests what to do", async () => {
  using user = new NewUser();
  mkdirSync(join(user.agentHome, "profiles/lab"), { recursive: true });
  for (const [args, reason] of [
    [["create", "Lab!"], /is not a valid profile name/],
    [["create", "default"], /the name is reserved/],
    [["create", "sessions"], /the name is reserved/],
    [["create", "lab"], /already exists\.\nChoose another name, or delete it first: hermes profile delete lab/],
    [["use", "gone"], /There is no profile "gone"\.\nProfiles: default, lab/],
    [["rename", "default", "x"], /The default profile cannot be renamed/],
    [["delete", "default", "--yes"], /The default profile cannot be deleted/],
    [["create", "copy", "--clone-from", "gone"], /There is no profile "gone"/],
    [["alias", "lab", "--name", "ls"], /There is already a program "ls"/],
  ] as const) {
    const { status, out, err } = await user.run(["profile", ...args]);
    assert.equal(out, "", args.join(" "));
    assert.ok(status === 1 || status === 2);
    assert.match(err, reason);
  }
  assert.equal(existsSync(join(user.agentHome, "profiles/copy")), false);
  // A default that was deleted by hand: the message names the command that helps, and it works.
  writeFileSync(join(user.agentHome, "active_profile"), "gone\n");
  const lost = await user.run(["status"]);
  assert.match(lost.err, /There is no profile "gone".*\n.*`hermes -p default profile use default`/);
  assert.equal((await user.run(["-p", "default", "profile", "use", "default"])).status, 0);
  assert.equal((await user.run(["status"])).status, 0);
});

test("exports a profile without keys, and imports it under any name; also imports archives of the original", async () => {
  using user = new NewUser();
  await user.run(["profile", "create", "lab", "--no-alias", "--no-skills"]);
  user.write("~/.hermes/profiles/lab/.env", "LAB_API_KEY=sk-abcdefghijklmnop\n");
  user.write("~/.hermes/profiles/lab/SOUL.md", "Be brief.\n");
  await user.run(["-p", "lab", "chat", "-q", "hello from the lab"]);
  const file = join(user.folder, "lab.zip");
  assert.match((await user.run(["profile", "export", "lab", "-o", file])).err, /\.env: it holds keys/);
  const taken = await user.run(["profile", "import", file]);
  assert.match(taken.err, /The profile "lab" already exists/);
  assert.match((await user.run(["profile", "import", file, "--name", "copy"])).out, /Imported the profile "copy"/);
  assert.match((await user.run(["-p", "copy", "sessions", "list"])).out, /hello from the lab/);
  assert.equal(existsSync(join(user.agentHome, "profiles/copy/.env")), false);
  assert.equal(readFileSync(join(user.agentHome, "profiles/copy/SOUL.md"), "utf8"), "Be brief.\n");

  mkdirSync(join(user.folder, "old/cron"), { recursive: true });
  writeFileSync(join(user.folder, "old/SOUL.md"), "Be kind.\n");
  spawnSync("tar", ["czf", "old.tar.gz", "old"], { cwd: user.folder });
  assert.equal((await user.run(["profile", "import", "old.tar.gz"])).status, 0);
  assert.equal(readFileSync(join(user.agentHome, "profiles/old/SOUL.md"), "utf8"), "Be kind.\n");
});

test("--clone-all copies plugin databases and settings, but no sessions; a running gateway prevents renaming", async () => {
  await using scene = await chatScene([], { env: { LOOPBACK_CHAT_HOME_CHANNEL: "home" } });
  const { prompter } = scene;
  await prompter.run(["chat", "-q", "/status"]);
  prompter.write("~/.hermes/scripts/a.sh", "echo a\n");
  const made = await prompter.run(["profile", "create", "twin", "--clone-all", "--no-alias"]);
  assert.equal(made.status, 0, made.err);
  const twin = join(prompter.agentHome, "profiles/twin");
  assert.deepEqual([existsSync(join(twin, "scripts/a.sh")), existsSync(join(twin, "state.db"))], [true, false]);
  assert.equal(existsSync(join(twin, "plugins/loopback-chat")), true);
  const child = prompter.start(["-p", "twin", "gateway"]);
  let notes = "";
  const serving = new Promise<void>((resolve, reject) => {
    const read = (text: Buffer): void => void ((notes += text.toString()).includes("Serving") && resolve());
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.on("exit", (status) => reject(new Error(`the gateway ended with ${status}: ${notes}`)));
  });
  await serving;
  const refused = await prompter.run(["profile", "rename", "twin", "other"]);
  assert.match(
    refused.err,
    /The gateway of "twin" is running\. Nothing was changed\.\nStop it first: hermes -p twin gateway stop/,
  );
  child.kill("SIGTERM");
  await gone(child);
  assert.equal((await prompter.run(["profile", "rename", "twin", "other"])).status, 0);
});
