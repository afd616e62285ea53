import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { wrongPackages } from "./wrong-package.ts";

test("reports each kind of dependency that fetches another publisher's hermes-agent, and no alias, folder or URL", (t) => {
  const dir = mkdtempSync(join(tmpdir(), "hermes-wrong-package-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const found = (manifest: unknown): readonly string[] => {
    writeFileSync(join(dir, "package.json"), JSON.stringify(manifest));
    return wrongPackages(dir).map((message) => /in (\w+) is another publisher's package/.exec(message)?.[1] ?? message);
  };
  assert.deepEqual(wrongPackages(dir), []);
  assert.deepEqual(
    found({
      dependencies: { "hermes-agent": "*" },
      devDependencies: { "hermes-agent": "^0.1.0" },
      optionalDependencies: { "hermes-agent": "latest" },
      peerDependencies: { "hermes-agent": ">=0.1" },
    }),
    ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"],
  );
  for (const spec of ["npm:hermes-agent-ts@*", "file:../hermes", "workspace:*", "github:someone/hermes", "../hermes"])
    assert.deepEqual(found({ devDependencies: { "hermes-agent": spec } }), [], spec);
  assert.deepEqual(found({ peerDependencies: { "hermes-agent-ts": "*" } }), []);
  assert.deepEqual(found(null), []);
  assert.deepEqual(found({ dependencies: 3 }), []);
});
