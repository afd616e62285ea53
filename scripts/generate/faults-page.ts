import { ALWAYS, FAULT_ROWS, OPEN_ROWS } from "../../test/faults/matrix.ts";
import { readRowMarks, type RowMark } from "../../test/faults/row-marks.ts";
import { code, page, prose, table, type Page } from "./page.ts";
import { ROOT } from "./read-snapshot.ts";

/** The promise for each fault, and the tests that inject it. */
export function faultsPage(): Page {
  const marks = Map.groupBy(readRowMarks(ROOT), ({ row }) => row);
  return page(
    "faults.md",
    "Faults and the tests that inject them",
    `This table lists what the agent promises when something breaks. ${ALWAYS} A test in \`test/faults\` fails if a row that is not open has no test.`,
    "## Rows",
    table(
      ["Row", "Fault", "Promise", "Tested by"],
      FAULT_ROWS.map(({ row, fault, promise }) => [
        String(row),
        prose(fault),
        prose(promise),
        heldBy(row, marks.get(row) ?? []),
      ]),
    ),
    "## Tests",
    ...FAULT_ROWS.flatMap(({ row, fault }) => {
      const held = marks.get(row);
      return held === undefined
        ? []
        : [`**${row}. ${prose(fault)}**`, held.map(({ file, test }) => `- ${prose(test)}: ${code(file)}`).join("\n")];
    }),
  );
}

function heldBy(row: number, marks: readonly RowMark[]): string {
  const files = [...new Set(marks.map(({ file }) => code(file)))].join(", ");
  return files === "" ? "open" : OPEN_ROWS.includes(row) ? `in part: ${files}` : files;
}
