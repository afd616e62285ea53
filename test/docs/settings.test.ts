import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { composeSchema } from "../../src/host/config/compose-schema.ts";
import { leaves, settingAt, type Setting } from "../../src/host/config/setting.ts";
import { readSnapshot } from "../../scripts/generate/read-snapshot.ts";
import { settingReader } from "../../scripts/generate/settings-in-use.ts";

const sections = readSnapshot().flatMap(({ key, manifest: { config } }) =>
  config === undefined ? [] : [{ owner: key, ...config }],
);
/** Several plugins may share a section. */
const ownersOf = (path: string): readonly string[] =>
  sections.filter(({ section }) => path.startsWith(`${section}.`)).map(({ owner }) => owner);
const all = leaves(composeSchema(sections));
const reader = settingReader();

/** A section that is one map of names is given to its plugin as a whole. */
const isSection = (path: string): boolean => sections.some(({ section }) => section === path);

/** Fixed behaviour: the setting accepts only this value, and refuses others with a hint. */
const onlyRefuses = ({ instead, enum: allowed }: Setting): boolean => instead !== undefined && allowed !== undefined;

test("code reads every setting that is not marked as unused, so no accepted setting is without effect", () => {
  assert.deepEqual(
    all
      .filter(
        ({ path, setting, unused }) =>
          !unused &&
          !isSection(path) &&
          !onlyRefuses(setting) &&
          ![undefined, ...ownersOf(path)].some((owner) => reader.reads(path, owner)),
      )
      .map(({ path }) => path),
    [],
  );
});

/**
 * Names of toolsets and slots, whose key alone says nothing; and settings that choose the provider of a slot that no
 * provider fills yet.
 */
const ALSO_OTHERWISE = new Set([
  "code_execution",
  "image_gen",
  "video_gen",
  "web.backend",
  "tts.provider",
  "stt.provider",
]);

/** A plugin reads its own keys without their section. */
const readByPlugin = (path: string): boolean => ownersOf(path).some((owner) => reader.reads(path, owner));

test("no code reads a setting that is marked as unused", () => {
  assert.deepEqual(
    all
      .filter(
        ({ path, unused }) =>
          unused && /[._]/.test(path) && !ALSO_OTHERWISE.has(path) && (reader.names(path) || readByPlugin(path)),
      )
      .map(({ path }) => path),
    [],
  );
});

test("the reader distinguishes settings that are read from lookalikes", () => {
  const read = settingReader([
    {
      file: "src/a.ts",
      text: 'config.get("agent.max_turns"); // config.get("agent.verbose")\nhint: "hermes config set display.compact true"',
    },
    { file: "plugins/p/index.ts", text: "ctx.config.colour" },
  ]);
  assert.deepEqual(
    ["agent.max_turns", "agent.verbose", "display.compact", "agent.max"].map((path) => read.reads(path, undefined)),
    [true, false, false, false],
  );
  assert.deepEqual(
    [read.reads("p.colour", "p"), read.reads("p.colour", "q"), read.reads("p.colours", "p")],
    [true, false, false],
  );
});

// field: C08
test("every key that the original's version 0.19.0 reads or has in its default file is accepted", () => {
  const keys = readFileSync(join(import.meta.dirname, "original-keys.txt"), "utf8")
    .trim()
    .split("\n");
  const schema = composeSchema(sections);
  assert.ok(keys.length > 600);
  assert.deepEqual(
    keys.filter((key) => settingAt(schema, key) === undefined),
    [],
  );
  for (const typo of ["display.background_proces_notifications", "model.nmae", "agent.max_trns"])
    assert.equal(settingAt(schema, typo), undefined, typo);
});
