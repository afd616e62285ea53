import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { resolveHome } from "../environment/home.ts";
import { createSnapshotService } from "./snapshot-service.ts";

/** A home with settings, whose time the test sets. */
function place() {
  const path = mkdtempSync(join(tmpdir(), "hermes-snapshots-"));
  const home = resolveHome({ env: { HERMES_HOME: path }, userHome: path });
  const clock = { at: Date.UTC(2026, 10, 22, 18, 31) };
  const service = createSnapshotService({
    home,
    now: () => clock.at,
    backup: async (target) => writeFileSync(target, "a store"),
  });
  return {
    path,
    home,
    service,
    clock,
    write: (name: string, text: string) => writeFileSync(join(path, name), text),
    read: (name: string) => readFileSync(join(path, name), "utf8"),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

test("a snapshot contains settings, keys and the whole store, readable only by the owner; restoring saves the previous state", async () => {
  using all = place();
  all.write("config.yaml", "model:\n  default: one # mine\n");
  all.write(".env", "OPENAI_API_KEY=first\n");
  const made = await all.service.create("Before the big change!");
  assert.equal(made.id, "20261122-183100-before-the-big-change");
  assert.deepEqual(readdirSync(made.path).toSorted(), [".env", "config.yaml", "state.db"]);
  assert.deepEqual(
    [
      statSync(made.path).mode & 0o777,
      ...readdirSync(made.path)
        .filter((name) => name !== "state.db")
        .map((name) => statSync(join(made.path, name)).mode & 0o777),
    ],
    [0o700, 0o600, 0o600],
  );
  all.write("config.yaml", "model:\n  default: two\n");
  all.write("SOUL.md", "I came later.\n");
  all.clock.at += 60_000;
  const { files, before } = await all.service.restore("1");
  assert.deepEqual(files, ["config.yaml", ".env"]);
  assert.deepEqual(
    [all.read("config.yaml"), all.read(".env"), all.read("SOUL.md")],
    ["model:\n  default: one # mine\n", "OPENAI_API_KEY=first\n", "I came later.\n"],
  );
  await all.service.restore(before.id);
  assert.equal(all.read("config.yaml"), "model:\n  default: two\n");
});

test("keeps the newest snapshots, gives each a unique name and lists them when a name is unknown", async () => {
  using all = place();
  await assert.rejects(all.service.restore("1"), {
    message: 'There is no snapshot "1".',
    hint: "/snapshot create makes one.",
  });
  assert.deepEqual(
    [(await all.service.create()).id, (await all.service.create()).id],
    ["20261122-183100", "20261122-183100-2"],
  );
  for (let count = 0; count < 20; count++) {
    all.clock.at += 1_000;
    await all.service.create();
  }
  const there = await all.service.list();
  assert.equal(there.length, 20);
  all.clock.at += 1_000;
  const { restored } = await all.service.restore("20");
  assert.deepEqual(
    (await all.service.list()).map(({ id }) => id).slice(-2),
    [there[18]!.id, restored.id],
    "the oldest is there still: it is the one that was restored",
  );
  all.clock.at += 1_000;
  await all.service.create();
  assert.equal(await all.service.prune(1), 19);
  const [left] = await all.service.list();
  assert.equal(left?.id, "20261122-183122");
  for (const which of ["../20261122-183122", "..", "2", "0", ""])
    await assert.rejects(all.service.restore(which), { hint: "Available: 20261122-183122." });
});

test("a snapshot that fails leaves nothing behind, and links in a snapshot are not followed", async () => {
  using all = place();
  all.write("config.yaml", "a: 1\n");
  const broken = createSnapshotService({
    home: all.home,
    now: () => all.clock.at,
    backup: () => Promise.reject(new Error("the disk is full")),
  });
  await assert.rejects(broken.create(), /the disk is full/);
  assert.deepEqual(readdirSync(join(all.path, "state-snapshots")), []);
  const made = await all.service.create();
  all.write("elsewhere", "model: evil\n");
  rmSync(join(made.path, "config.yaml"));
  symlinkSync(join(all.path, "elsewhere"), join(made.path, "config.yaml"));
  mkdirSync(join(all.path, "state-snapshots", "notes"));
  assert.deepEqual(
    (await all.service.list()).map(({ id }) => id),
    [made.id],
  );
  all.clock.at += 1_000;
  assert.deepEqual((await all.service.restore(made.id)).files, []);
  assert.equal(all.read("config.yaml"), "a: 1\n");
});
