import assert from "node:assert/strict";
import { test } from "node:test";
import type { PluginListing } from "../../../src/contract/services/plugin-service.ts";
import { NewUser } from "../support/test-user.ts";

const OPT_IN = ["example-dashboard", "google_meet", "spotify", "strike-freedom-cockpit"];
const CHOSEN = ["image_gen/openai", "image_gen/openai-codex", "image_gen/xai"];

// req: plugins.bundled-seven
test("spotify, google_meet, three image backends and two dashboard examples are bundled; the user enables or chooses each", async () => {
  using user = new NewUser();
  const states = async (): Promise<Readonly<Record<string, string>>> => {
    const { out, err } = await user.run(["plugins", "list", "--json"]);
    const rows = (
      JSON.parse(out) as readonly (Pick<PluginListing, "source"> & { readonly name: string; readonly status: string })[]
    ).filter(({ name }) => [...OPT_IN, ...CHOSEN].includes(name));
    assert.ok(
      rows.every(({ source }) => source === "bundled"),
      err,
    );
    return Object.fromEntries(rows.map(({ name, status }) => [name, status]));
  };
  assert.deepEqual(await states(), {
    ...Object.fromEntries(OPT_IN.map((name) => [name, "not enabled"])),
    ...Object.fromEntries(CHOSEN.map((name) => [name, "disabled"])),
  });
  for (const name of OPT_IN) {
    const { status, out, err } = await user.run(["plugins", "enable", name]);
    assert.equal(status, 0, err);
    assert.match(out, new RegExp(`^✓ ${name} v1\\.0\\.0 .*is enabled\\.`, "m"));
  }
  for (const name of CHOSEN) {
    const plain = name.slice("image_gen/".length);
    assert.match(
      (await user.run(["plugins", "enable", name])).out,
      new RegExp(`is available\\. Choose it with: hermes config set image_gen\\.provider ${plain}`),
    );
    assert.equal((await user.run(["config", "set", "image_gen.provider", plain])).status, 0);
    // Once chosen, it lacks only its key.
    assert.doesNotMatch((await user.run(["plugins", "info", name])).out, /does not name it/);
  }
  assert.deepEqual(
    Object.values(Object.fromEntries(Object.entries(await states()).filter(([name]) => OPT_IN.includes(name)))),
    OPT_IN.map(() => "enabled"),
  );
});
