import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SOURCES } from "./sources.ts";

const root = join(import.meta.dirname, "../..");
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");
const filesWith = (pattern: RegExp): readonly string[] =>
  SOURCES.filter((file) => !file.startsWith("src/testing/") && pattern.test(textOf(file))).sort();

// field: M19
test("requests to models go through clients that the slot registry hands out, so each has a row in the ledger", () => {
  // Code that streams has a client of `ModelProvider.connect`, and only the registry hands out such providers.
  assert.deepEqual(filesWith(/(?<!\w)(?:client|clientOf\(key\)|connect\(settings\))\.stream\(/), [
    "src/engine/turn/watch-stream.ts",
    "src/host/costs/billed-client.ts",
    "src/host/masking/masked-client.ts",
    "src/host/models/check-model.ts",
    "src/host/models/model-key-pool.ts",
    "src/host/models/plugin-llm.ts",
  ]);
  assert.deepEqual(
    filesWith(/[pP]rovider\.connect\(|#wire\.connect\(/).filter((file) => file.startsWith("src/")),
    [
      "src/host/costs/billed-provider.ts",
      "src/host/models/check-model.ts",
      "src/host/models/model-profiles.ts",
      "src/host/models/model-service.ts",
    ],
  );
});

test("the slot registry wraps every provider when it is registered, and the agent says how before plugins start", () => {
  const slots = textOf("src/host/tools/slots.ts");
  assert.deepEqual(slots.match(/entry\.load\(\)/g)?.length, 2, "one wrapped load, and one in `use` of wrapped entries");
  assert.match(slots, /\.add\(entry\.id, this\.#billed\(slot, entry\), owner\)/);
  assert.deepEqual(filesWith(/\.billBy\(/), ["src/host/app/prepare-engine.ts"]);
  assert.deepEqual(filesWith(/new SlotRegistry\(/), ["src/host/plugins/registry/registries.ts"]);
});
