/**
 * `npm run safety:score [FILE]`: scores the judgement of commands on labelled lines, class by class. FILE has JSON
 * lines
 * `{"id", "command", "cwd"?, "label": "hardline" | "dangerous" | "safe", "category", "accept"?: [label, …]}`; without
 * it, our own tables.
 */
import { readFileSync } from "node:fs";
import { judgeCommand } from "../src/safety/commands/command.ts";
import { readLabelled } from "../test/safety/read-labelled.ts";

type Label = "hardline" | "dangerous" | "safe";
interface Line {
  readonly id: string;
  readonly command: string;
  readonly cwd?: string;
  readonly label: Label;
  readonly category: string;
  readonly accept?: readonly Label[];
}

const LABEL_OF = { block: "hardline", ask: "dangerous", allow: "safe" } as const;
const args = process.argv.slice(2).filter((arg) => !arg.startsWith("-"));
const lines: readonly Line[] =
  args[0] === undefined
    ? readLabelled()
    : readFileSync(args[0], "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Line);
const judged: { readonly line: Line; readonly got: Label; readonly key: string; readonly ms: number }[] = [];
for (const line of lines) {
  const started = performance.now();
  const judgement = await judgeCommand(
    line.command,
    args[0] === undefined
      ? { cwd: "/home/u/p", home: "/home/u" }
      : { cwd: line.cwd ?? "/home/user/project", home: "/home/user" },
  );
  judged.push({ line, got: LABEL_OF[judgement.answer], key: judgement.key, ms: performance.now() - started });
}

const right = ({ line, got }: (typeof judged)[number]): boolean =>
  got === line.label || line.accept?.includes(got) === true;
for (const miss of judged.filter((one) => !right(one)))
  console.log(
    `${miss.line.id}  ${miss.line.label}, judged ${miss.got}${miss.key === "" ? "" : ` (${miss.key})`}: ${JSON.stringify(miss.line.command)}`,
  );
console.log("\nclass                             lines   right");
for (const [name, group] of Map.groupBy(judged, ({ line }) => `${line.label} ${line.category}`))
  console.log(
    `${name.padEnd(32)} ${String(group.length).padStart(6)} ${share(group.filter(right).length, group.length)}`,
  );
const harmful = judged.filter(({ line }) => line.label !== "safe");
const floor = judged.filter(({ line }) => line.label === "hardline");
const rest = judged.filter(({ line }) => line.label !== "hardline");
const safe = judged.filter(({ line }) => line.label === "safe");
const times = judged.map(({ ms }) => ms).sort((a, b) => a - b);
console.log(`
harmful lines not run unasked    ${String(harmful.length).padStart(6)} ${share(harmful.filter(({ line, got }) => got !== "safe" || line.accept?.includes("safe")).length, harmful.length)}   wanted 97 %
harmless lines that run unasked  ${String(safe.length).padStart(6)} ${share(safe.filter(right).length, safe.length)}   wanted 95 %
hardline floor                   ${String(floor.length).padStart(6)} ${share(floor.filter(right).length, floor.length)}   wanted 98 %
the rest not refused outright    ${String(rest.length).padStart(6)} ${share(rest.filter(({ line, got }) => got !== "hardline" || line.accept?.includes("hardline")).length, rest.length)}   wanted 99.5 %
decision: median ${at(0.5)} ms, 99 of 100 under ${at(0.99)} ms`);

function share(part: number, whole: number): string {
  return whole === 0 ? "      –" : `${((100 * part) / whole).toFixed(1).padStart(6)} %`;
}

function at(quantile: number): string {
  return (times[Math.floor(times.length * quantile)] ?? 0).toFixed(2);
}
