import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { resolveHome } from "./home.ts";

function userHome(t: { after(run: () => void): void }): string {
  const path = mkdtempSync(join(tmpdir(), "hermes-home-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

// req: config.home
test("the home is ~/.hermes, and nothing is created before it is needed", (t) => {
  const user = userHome(t);
  const home = resolveHome({ env: {}, userHome: user });
  assert.equal(home.path, join(user, ".hermes"));
  assert.equal(home.profile, "default");
  assert.equal(statSync(home.path, { throwIfNoEntry: false }), undefined);
  const logs = home.folder("logs");
  assert.equal(logs, join(user, ".hermes", "logs"));
  assert.equal(statSync(logs).mode & 0o777, 0o700);
  assert.equal(statSync(home.path).mode & 0o777, 0o700);
});

test("HERMES_HOME sets the home, and each call reads it again", (t) => {
  const user = userHome(t);
  assert.deepEqual(pick(resolveHome({ env: { HERMES_HOME: "/srv/agent" }, userHome: user })), {
    path: "/srv/agent",
    root: "/srv/agent",
    profile: "custom",
  });
  assert.equal(resolveHome({ env: { HERMES_HOME: "~/elsewhere" }, userHome: user }).path, join(user, "elsewhere"));
  assert.equal(resolveHome({ env: {}, userHome: user }).path, join(user, ".hermes"));
});

test("each profile has its own home: -p beats HERMES_HOME, which beats active_profile", (t) => {
  const user = userHome(t);
  const root = join(user, ".hermes");
  mkdirSync(join(root, "profiles", "work"), { recursive: true });
  mkdirSync(join(root, "profiles", "play"), { recursive: true });
  writeFileSync(join(root, "active_profile"), "work\n");
  assert.deepEqual(pick(resolveHome({ env: {}, userHome: user })), {
    path: join(root, "profiles", "work"),
    root,
    profile: "work",
  });
  assert.equal(resolveHome({ env: {}, userHome: user, profile: "play" }).profile, "play");
  assert.equal(resolveHome({ env: {}, userHome: user, profile: "default" }).path, root);
  const inside = { HERMES_HOME: join(root, "profiles", "work") };
  assert.deepEqual(pick(resolveHome({ env: inside, userHome: user })), {
    path: join(root, "profiles", "work"),
    root,
    profile: "work",
  });
  assert.equal(resolveHome({ env: inside, userHome: user, profile: "play" }).path, join(root, "profiles", "play"));
});

test("an unknown profile is an error that names the known ones", (t) => {
  const user = userHome(t);
  mkdirSync(join(user, ".hermes", "profiles", "work"), { recursive: true });
  assert.throws(
    () => resolveHome({ env: {}, userHome: user, profile: "wrok" }),
    (error: Error & { hint?: string }) =>
      /no profile "wrok" \(from -p\)/.test(error.message) && /default, work/.test(error.hint ?? ""),
  );
  assert.throws(() => resolveHome({ env: {}, userHome: user, profile: "../etc" }), /is not a valid profile name/);
});

function pick({ path, root, profile }: { path: string; root: string; profile: string }) {
  return { path, root, profile };
}
