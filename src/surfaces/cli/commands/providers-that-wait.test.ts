import assert from "node:assert/strict";
import { test } from "node:test";
import { providersThatWait } from "./providers-that-wait.ts";

test("of what a plugin provides, what nothing chooses or asks for is named, and what is in use is not", () => {
  const settings: { readonly [path: string]: string } = { "memory.provider": "vault" };
  assert.deepEqual(providersThatWait(["memory/vault", "memory/attic", "context/lossless", "image_gen/a/b", "browser/pages", "platform/irc"], (path) => settings[path]), [
    "hermes memory setup attic has it keep memories.",
    "hermes config set context.engine lossless has it shorten conversations.",
    "browser/pages is registered and listed; nothing in this version asks for a provider of that kind yet.",
  ]);
});
