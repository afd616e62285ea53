import assert from "node:assert/strict";
import { test } from "node:test";
import { providersThatWait } from "./pending-providers.ts";

test("of what a plugin provides, what nothing chooses or asks for is named, and what is in use is not", () => {
  const settings: { readonly [path: string]: string } = {
    "memory.provider": "vault",
    "browser.cloud_provider": "mine",
  };
  assert.deepEqual(
    providersThatWait(
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
      "hermes memory setup attic has it keep memories.",
      "hermes config set context.engine lossless has it shorten conversations.",
      "hermes config set browser.cloud_provider pages has it run the agent's browsers.",
      "secrets/safe is registered and listed; nothing in this version asks for a provider of that kind yet.",
    ],
  );
});
