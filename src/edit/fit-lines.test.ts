import assert from "node:assert/strict";
import { test } from "node:test";
import { replace } from "./replace.ts";

const SHIFTS = ["left", "right", "first line", "tabs for spaces", "other steps", "trailing blanks"] as const;

for (const shift of SHIFTS) {
  // field: F03
  test(`an edit with wrong indentation gives the same file as with the right one: ${shift}`, () => {
    const random = numbers(SHIFTS.indexOf(shift) + 1);
    let tried = 0;
    for (let round = 0; round < 1_000; round++) tried += Number(tryEdit(shift, random));
    assert.ok(tried > 300, String(tried));
  });
}

interface Line {
  readonly depth: number;
  readonly text: string;
}

/** @returns Whether the old text was not literally in the file. */
function tryEdit(shift: (typeof SHIFTS)[number], random: (below: number) => number): boolean {
  const tabs = random(3) === 0;
  const unit = 2 + 2 * random(2);
  const file = randomLines(random);
  const from = random(8);
  const old = file.slice(from, from + 2 + random(4));
  const fresh = [...old];
  const changed = random(fresh.length);
  fresh[changed] = { ...fresh[changed]!, text: `changed(${random(1_000)})` };
  const place = random(fresh.length);
  fresh.splice(place + 1, 0, { depth: fresh[place]!.depth, text: `added(${random(1_000)})` });
  const least = Math.min(...old.map(({ depth }) => depth));
  const right = ({ depth, text }: Line): string => (tabs ? "\t" : " ".repeat(unit)).repeat(depth) + text;
  const wrong = ({ depth, text }: Line, index: number): string => {
    if (shift === "left") return right({ depth: depth - least, text });
    if (shift === "right") return right({ depth: depth + 1, text });
    if (shift === "first line") return index === 0 ? text : right({ depth, text });
    if (shift === "tabs for spaces") return (tabs ? "    " : "\t").repeat(depth) + text;
    if (shift === "other steps") return " ".repeat(tabs ? 2 * depth : (6 - unit) * depth) + text;
    return `${right({ depth, text })}  `;
  };
  // Without these blanks, a text without its first indentation would be literally in the file.
  const tail = shift === "first line" ? " " : "";
  const stored = (line: Line): string => `${right(line)}${file.includes(line) ? tail : ""}`;
  const written = (line: Line): string =>
    stored(line) + (shift === "trailing blanks" && !file.includes(line) ? "  " : "");
  const [before, after] = [file.slice(0, from), file.slice(from + old.length)].map((lines) => lines.map(stored));
  const text = file.map(stored).join("\n");
  const replaced = replace(text, old.map(wrong).join("\n"), fresh.map(wrong).join("\n"), { path: "a.py" });
  if (replaced.kind !== "replaced") assert.fail(JSON.stringify({ text, old, replaced }));
  if (replaced.strategy === "exact") return false;
  assert.equal(replaced.text, [...before!, ...fresh.map(written), ...after!].join("\n"));
  return true;
}

function randomLines(random: (below: number) => number): readonly Line[] {
  let depth = 0;
  return Array.from({ length: 12 }, (_, index) => {
    const line = { depth, text: `line${index}(${random(1_000)})` };
    depth = Math.max(0, Math.min(3, depth + random(3) - 1));
    return line;
  });
}

/** Repeatable numbers. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
}
