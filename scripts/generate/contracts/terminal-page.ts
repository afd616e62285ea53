import { TERMINAL_BEHAVIOURS } from "../../../src/testing/terminal-contract.ts";
import { readTerminalResults, TERMINAL_SUITES, type BackendResults } from "../../terminal-results.ts";
import { code, page, table, type Page } from "../page.ts";
import { ROOT } from "../read-snapshot.ts";

const INTRODUCTION = `All backends have the same ${TERMINAL_BEHAVIOURS.length} behaviours. \`real\`: passed with the real service; \`double\`: passed with a test double; \`–\`: not run.
\`npm run terminals\` runs the suites and updates this page; \`npm run terminals -- docker\` runs one of them.`;

/** The behaviours that each terminal backend passed, on the real service or on a double. */
export function terminalPage(): Page {
  const results = readTerminalResults(ROOT);
  const notes = [
    ...new Set(results.flatMap((one) => Object.values(one.skipped).map((why) => `${one.backend}: ${why}`))),
  ];
  const rows = TERMINAL_BEHAVIOURS.map(({ id, says }) => [
    code(id),
    says,
    ...results.map((one) => cell(one, id, notes)),
  ]);
  return page(
    "terminal-contract.md",
    "What terminal backends promise",
    INTRODUCTION,
    sums(results, {
      heads: ["backend", "real", "double", "skipped", "broken", "not run"],
      names: (backend) => code(backend),
    }),
    table(["id", "behaviour", ...results.map(({ backend }) => backend)], rows),
    notes.map((note, index) => `${index + 1}. ${note}`).join("\n"),
  );
}

/** The table of one README, in its language. */
export function terminalSums(heads: readonly string[]): string {
  return sums(readTerminalResults(ROOT), {
    heads,
    names: (backend) => (backend === "podman" ? `${code("docker")} (podman)` : code(backend)),
  });
}

/**
 * The number of behaviours that each backend passed. The columns for broken and not run appear only if there are any.
 */
function sums(
  results: readonly BackendResults[],
  { heads, names }: { readonly heads: readonly string[]; readonly names: (backend: string) => string },
): string {
  const rows = Object.keys(TERMINAL_SUITES).map((backend) => [
    names(backend),
    ...counts(results.find((one) => one.backend === backend)),
  ]);
  const shown = heads.map((_, column) => column < 4 || rows.some((row) => row[column] !== "–"));
  const only = (cells: readonly string[]): readonly string[] => cells.filter((_, column) => shown[column]);
  return table(only(heads), rows.map(only));
}

function counts(one: BackendResults | undefined): readonly string[] {
  const known = TERMINAL_BEHAVIOURS.map(({ id }) => (one === undefined ? "missing" : outcomeOf(one, id)));
  return ["real", "double", "skipped", "broken", "missing"]
    .map((kind) => String(known.filter((outcome) => outcome === kind).length))
    .map((count) => (count === "0" ? "–" : count));
}

function cell(one: BackendResults, id: string, notes: readonly string[]): string {
  const outcome = outcomeOf(one, id);
  if (outcome === "skipped") return `skipped (${notes.indexOf(`${one.backend}: ${one.skipped[id]}`) + 1})`;
  return outcome === "missing" ? "–" : outcome === "broken" ? "**broken**" : outcome;
}

function outcomeOf(one: BackendResults, id: string): "real" | "double" | "skipped" | "broken" | "missing" {
  if (one.failed.includes(id)) return "broken";
  if (one.passed.includes(id)) return one.kind;
  return id in one.skipped ? "skipped" : "missing";
}
