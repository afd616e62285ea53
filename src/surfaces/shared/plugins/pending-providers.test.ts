import assert from "node:assert/strict";
import { test } from "node:test";
import { unusedProviders } from "./pending-providers.ts";

test("lists a plugin's providers that no setting chooses or that this version does not use", () => {
  const settings: { readonly [path: string]: string } = {
    "memory.provider": "vault",
    "browser.cloud_provider": "mine",
  };
  assert.deepEqual(
    unusedProviders(
      [
        "memory/vault",
        "memory/attic",
        "context/lossless",
        "image_gen/a/b",
        "browser/pages",
        "browser/mine",
        "platform/irc",
        "secrets/safe",
      ],
      (path) => settings[path],
    ),
    [
      "To store memories with it: hermes memory setup attic",
      "To shorten conversations with it: hermes config set context.engine lossless",
      "To run the agent's browsers with it: hermes config set browser.cloud_provider pages",
      "secrets/safe is registered, but this version does not use providers of that kind.",
    ],
  );
});
