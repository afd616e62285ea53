import type { RollbackReport } from "./rollback/rollback.ts";
import type { UndoableTurn } from "./rollback/undoable-turn.ts";

const SHOWN_PATHS = 20;

/** The commands to type, in a session and in a shell. */
export const GO_BACK = {
  session: "/rollback N restores the state before that turn; /rollback diff N shows what would change.",
  shell:
    "`hermes rollback restore N` restores the state before that turn; `hermes rollback diff N` shows what would change.",
} as const;

/**
 * @param places Terminal backends in which the conversation changed files that no checkpoint covers.
 * @param goBack One of `GO_BACK`.
 */
export function listText(
  turns: readonly UndoableTurn[],
  places: readonly string[],
  goBack: string,
  now = Date.now(),
): string {
  const rows = turns.map(
    ({ at, label, checkpoints }, index) =>
      `${String(index + 1).padStart(3)}  ${timeText(at, now)}  before: ${label}  in ${[...new Set(checkpoints.map(({ root }) => root))].join(", ")}`,
  );
  return [
    ...(rows.length === 0 ? ["No turn of this conversation has a checkpoint with changed files."] : rows),
    ...(places.length === 0 ? [] : ["", elsewhereText(places)]),
    ...(rows.length === 0 ? [] : ["", goBack]),
  ].join("\n");
}

export function reportText(report: RollbackReport, places: readonly string[]): string {
  const count = (list: readonly unknown[], word: string): string[] =>
    list.length === 0 ? [] : [`${list.length} ${word}`];
  const sums = [
    ...count(report.restored, "restored"),
    ...count(report.removed, "removed"),
    ...count(report.kept, "left unchanged"),
    ...count(report.failed, "failed"),
  ];
  const lines = (list: readonly { readonly path: string; readonly why: string }[], mark: string): string[] =>
    list.slice(0, SHOWN_PATHS).map(({ path, why }) => `  ${mark} ${path}: ${why}`);
  return [
    sums.length === 0 ? "No files differ." : `Files: ${sums.join(", ")}.`,
    ...report.restored.slice(0, SHOWN_PATHS).map((path) => `  ↩ ${path}`),
    ...report.removed.slice(0, SHOWN_PATHS).map((path) => `  − ${path}`),
    ...lines(report.kept, "="),
    ...lines(report.failed, "✗"),
    ...(report.notUndone.length === 0
      ? []
      : ["Not undone, except for these files:", ...report.notUndone.map((one) => `  ! ${one}`)]),
    ...(places.length === 0 ? [] : [elsewhereText(places)]),
  ].join("\n");
}

/** Local time, with the date unless it is today. */
export function timeText(at: number, now = Date.now()): string {
  const [then, today] = [new Date(at).toLocaleString("sv-SE"), new Date(now).toLocaleString("sv-SE")];
  return then.slice(0, 10) === today.slice(0, 10) ? then.slice(11) : then;
}

function elsewhereText(places: readonly string[]): string {
  return `Changes in ${places.join(" and ")} cannot be undone: checkpoints cover only files on this machine.`;
}
