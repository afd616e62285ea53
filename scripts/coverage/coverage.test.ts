import assert from "node:assert/strict";
import { test } from "node:test";
import { coveredOf, statementsIn } from "./statements.ts";
import { coverageTable } from "./table.ts";

test("counts statements that run, and no types, imports, blocks or declarations", () => {
  const text = `import { a } from "./a.ts";
import type { B } from "./b.ts";
export interface C { readonly d: number }
type E = C | B;
declare const f: string;
export const g: E | number = a(1);
export function h(x: number): number {
  if (x > 1) return x;
  for (const one of [1, 2]) { g; }
  return [x].map((one) => one * 2)[0]!;
}
class I { static { a(2); } }
`;
  assert.deepEqual(
    statementsIn("a.ts", text).map((at) => text.slice(at).split("\n")[0]),
    [
      "const g: E | number = a(1);",
      "if (x > 1) return x;",
      "return x;",
      "for (const one of [1, 2]) { g; }",
      "const one of [1, 2]) { g; }",
      "g; }",
      "return [x].map((one) => one * 2)[0]!;",
      "one * 2)[0]!;",
      "a(2); } }",
    ],
  );
  assert.throws(() => statementsIn("a.ts", "const = 1;"), /Cannot parse a\.ts/);
});

test("takes the count of the innermost range", () => {
  const range = (startOffset: number, endOffset: number, count: number) => ({ startOffset, endOffset, count });
  const ranges = [range(40, 60, 0), range(0, 100, 1), range(20, 80, 3), range(50, 55, 2), range(80, 90, 0)];
  assert.deepEqual(
    coveredOf([0, 10, 20, 39, 40, 50, 54, 55, 60, 79, 80, 90, 99, 100], ranges),
    [0, 10, 20, 39, 50, 54, 60, 79, 90, 99],
  );
  assert.deepEqual(coveredOf([3], []), []);
});

test("prints a line for each top folder and the total", () => {
  const file = (path: string, statements: number, covered: number) => ({ file: path, statements, covered });
  assert.equal(
    coverageTable([
      file("src/engine/turn.ts", 1_000, 900),
      file("src/engine/hooks/run.ts", 500, 500),
      file("src/main.ts", 8, 0),
      file("plugins/mcp/index.ts", 0, 0),
    ]),
    `folder      files  statements  covered
plugins         1           0        0  100.0 %
src             1           8        0    0.0 %
src/engine      2       1,500    1,400   93.3 %
total           4       1,508    1,400   92.8 %`,
  );
});
