import assert from "node:assert/strict";
import { test } from "node:test";
import { NewUser } from "../support/test-user.ts";

// field: C12
test("hermes moa lists, configures and deletes presets, and rejects models without a provider", async () => {
  using user = new NewUser();
  assert.match(
    (await user.run(["moa"])).out,
    /^default \(in use\)\n(?: {2}asks {6}openrouter\/.*\n)+ {2}combines {2}openrouter\/.*\n$/,
  );
  const flags = [
    "--reference",
    "openai/gpt-5",
    "--reference",
    "deepseek/deepseek-chat",
    "--aggregator",
    "openai/gpt-5",
  ];
  const saved = await user.run(["moa", "configure", "quick", ...flags]);
  assert.equal(saved.status, 0, saved.err);
  assert.match(saved.out, /Saved the preset "quick": 2 models to ask/);
  assert.match(saved.err, /hermes config set moa\.default_preset quick/);
  await user.run(["moa", "configure", "quick", "--aggregator", "deepseek/deepseek-chat", "--use"]);
  const presets = JSON.parse((await user.run(["moa", "list", "--json"])).out) as readonly { readonly name: string }[];
  assert.deepEqual(
    presets.find(({ name }) => name === "quick"),
    {
      name: "quick",
      isDefault: true,
      enabled: true,
      reference_models: ["openai/gpt-5", "deepseek/deepseek-chat"],
      aggregator: "deepseek/deepseek-chat",
    },
  );
  for (const [args, reason] of [
    [
      ["configure", "x", "--reference", "gpt-5", "--aggregator", "openai/gpt-5"],
      /"gpt-5" does not begin with a provider/,
    ],
    [["configure", "x", "--reference", "openia/gpt-5", "--aggregator", "openai/gpt-5"], /Did you mean openai\/gpt-5/],
    [["configure", "x", "--reference", "openai/gpt-5"], /has no model that combines/],
    [["configure", "x"], /there is no terminal\.\nName them: --reference/],
    [["delete", "gone"], /There is no preset "gone"\.\nPresets: default, quick/],
    [["delete", "default"], /cannot be deleted\.\nDisable it with/],
  ] as const) {
    const { status, out, err } = await user.run(["moa", ...args]);
    assert.equal(out, "", args.join(" "));
    assert.notEqual(status, 0);
    assert.match(err, reason);
  }
  assert.equal((await user.run(["moa", "delete", "quick"])).status, 0);
  assert.match((await user.run(["moa"])).out, /^default \(in use\)/);
});
