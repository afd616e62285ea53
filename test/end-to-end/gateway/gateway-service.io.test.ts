import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chatScene, gone } from "../support/chatting.ts";
import { NewUser } from "../support/test-user.ts";

/**
 * Records its arguments. The file `state` has the state of systemd; a verb named in the file `broken` fails.
 */
const SYSTEMCTL = `#!/bin/sh
dir=$(dirname "$0")
echo "$*" >> "$dir/asked"
case "$*" in *is-system-running*) cat "$dir/state"; exit 1;; esac
if [ -f "$dir/broken" ] && echo "$*" | grep -q "$(cat "$dir/broken")"; then echo "Job for the unit failed." >&2; exit 3; fi
`;

interface Systemd {
  readonly folder: string;
  /** Commands received since the last call. */
  asked(): readonly string[];
  set(file: "state" | "broken", text: string): void;
}

function systemd(user: NewUser): Systemd {
  const folder = join(user.home, "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "systemctl"), SYSTEMCTL, { mode: 0o755 });
  writeFileSync(join(folder, "state"), "degraded\n");
  const log = join(folder, "asked");
  return {
    folder,
    asked() {
      const lines = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
      writeFileSync(log, "");
      return lines.filter((line) => line !== "");
    },
    set: (file, text) => writeFileSync(join(folder, file), text),
  };
}

const UNIT = "hermes-gateway.service";

// req: gateway.run-and-start
test("install writes and enables a systemd user unit; start, restart, stop and uninstall call systemctl", async () => {
  using user = new NewUser({ HERMES_RESTART_DRAIN_TIMEOUT: "90" });
  const own = systemd(user);
  const run = (...words: readonly string[]) =>
    user.run(["gateway", ...words], undefined, { PATH: `${own.folder}:${process.env["PATH"]}` });
  const file = join(user.home, ".config/systemd/user", UNIT);
  const before = await run("start");
  assert.deepEqual([before.status, own.asked()], [1, []]);
  assert.match(before.err, /No gateway service is installed\.\n.*`hermes gateway install` installs it/);

  const installed = await run("install");
  assert.equal(installed.status, 0, installed.err);
  assert.ok(
    installed.out.startsWith(`Installed ${file}. `) && installed.out.includes("loginctl enable-linger"),
    installed.out,
  );
  assert.deepEqual(own.asked(), ["--user is-system-running", "--user daemon-reload", `--user enable ${UNIT}`]);
  const unit = readFileSync(file, "utf8");
  assert.match(unit, /^ExecStart=\S+ .*main\.ts gateway run$/m);
  assert.match(unit, /^TimeoutStopSec=120$/m);
  assert.ok(unit.includes(`\nEnvironment=PATH=${own.folder}:`), unit);
  assert.doesNotMatch(unit, /HERMES_HOME/);

  for (const [verb, word] of [
    ["start", "Started"],
    ["restart", "Restarted"],
    ["stop", "Stopped"],
  ] as const) {
    assert.equal((await run(verb)).out, `${word}: ${UNIT}\n`);
    assert.deepEqual(own.asked(), [`--user ${verb} ${UNIT}`]);
  }
  own.set("broken", "start hermes");
  const failed = await run("start");
  assert.deepEqual(
    [failed.status, failed.err.split("\n")[0]],
    [1, `Error: systemctl --user start ${UNIT} failed: Job for the unit failed.`],
  );
  own.asked();
  assert.equal((await run("uninstall")).out, `Stopped and removed ${UNIT}.\n`);
  assert.deepEqual(own.asked(), [`--user disable --now ${UNIT}`, "--user daemon-reload"]);
  assert.equal(existsSync(file), false);
  assert.equal((await run("uninstall")).status, 1);
  assert.deepEqual(own.asked(), []);
});

test("a profile has a separate unit that names its home; the unit stays if uninstalling fails", async () => {
  using user = new NewUser();
  const own = systemd(user);
  const path = { PATH: `${own.folder}:${process.env["PATH"]}` };
  user.write("~/.hermes/profiles/work/config.yaml", "timezone: ''\n");
  const run = (...words: readonly string[]) => user.run(["-p", "work", "gateway", ...words], undefined, path);
  const file = join(user.home, ".config/systemd/user/hermes-gateway-work.service");
  const installed = await run("install");
  assert.equal(installed.status, 0, installed.err);
  assert.ok(
    readFileSync(file, "utf8").includes(`\nEnvironment=HERMES_HOME=${join(user.agentHome, "profiles/work")}\n`),
  );
  own.set("broken", "disable");
  assert.equal((await run("uninstall")).status, 1);
  assert.ok(existsSync(file));
});

test("installs nothing if systemd is not running, and explains what to do", async () => {
  using user = new NewUser();
  const own = systemd(user);
  own.set("state", "offline\n");
  for (const PATH of [`${own.folder}:${process.env["PATH"]}`, join(user.home, "nothing")]) {
    const { status, err } = await user.run(["gateway", "install"], undefined, { PATH });
    assert.equal(status, 1);
    assert.match(
      err,
      /Cannot install a service: systemd is not running for your user\.\n`hermes gateway` runs in the foreground/,
    );
  }
  assert.ok(!existsSync(join(user.home, ".config")));
});

test("stop ends a gateway in a terminal even if an inactive service is installed", async () => {
  await using scene = await chatScene([]);
  const own = systemd(scene.prompter);
  const path = { PATH: `${own.folder}:${process.env["PATH"]}` };
  assert.equal((await scene.prompter.run(["gateway", "install"], undefined, path)).status, 0);
  const gateway = await scene.serve();
  assert.equal(
    (await scene.prompter.run(["gateway", "stop"], undefined, path)).out,
    `Stopped: ${UNIT}\nStopped (process ${gateway.pid}), which ran in addition to the service.\n`,
  );
  assert.equal(await gone(gateway), 0);
});
