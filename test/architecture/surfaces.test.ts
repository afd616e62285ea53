import assert from "node:assert/strict";
import { test } from "node:test";
import { importedFiles, SOURCES } from "./sources.ts";

/** All surfaces may import it; it must not import a surface. */
const SHARED = "shared";

test("no surface imports another surface", () => {
  assert.deepEqual(
    SOURCES.flatMap((file) => importedFiles(file).flatMap((target) => complaint(file, target))),
    [],
  );
});

test("reports which surface imports another, and what to do", () => {
  assert.deepEqual(complaint("src/surfaces/api/run.ts", "src/surfaces/gateway/gateway.ts"), [
    "src/surfaces/api/run.ts imports src/surfaces/gateway/gateway.ts: move it to src/surfaces/shared, or pass it in from src/surfaces/run.ts",
  ]);
  assert.deepEqual(complaint("src/surfaces/api/run.ts", "src/surfaces/shared/http/listen.ts"), []);
  assert.equal(complaint("src/surfaces/shared/http/listen.ts", "src/surfaces/api/run.ts").length, 1);
});

function complaint(file: string, target: string): readonly string[] {
  const [from, to] = [surfaceOf(file), surfaceOf(target)];
  if (from === undefined || to === undefined || to === from || to === SHARED) return [];
  return [`${file} imports ${target}: move it to src/surfaces/${SHARED}, or pass it in from src/surfaces/run.ts`];
}

/** `undefined` outside the surfaces, and for `run.ts`, which composes them. */
function surfaceOf(file: string): string | undefined {
  return /^src\/surfaces\/([^/]+)\//.exec(file)?.[1];
}
