import { UserError } from "hermes-agent/plugin";
import type { Checkpoint } from "../snapshot/snapshot-store.ts";

/** A turn's checkpoints, one entry of the numbered list. */
export interface UndoableTurn {
  readonly turnId: string;
  readonly at: number;
  readonly label: string;
  readonly checkpoints: readonly Checkpoint[];
}

/** @throws {UserError} with the number of checkpoints that exist. */
export function pickTurn(
  turns: readonly UndoableTurn[],
  which: string,
): { readonly turn: UndoableTurn; readonly checkpoints: readonly Checkpoint[] } {
  const at = Number(which) - 1;
  const turn = turns[at];
  if (!/^\d+$/.test(which) || turn === undefined)
    throw new UserError(
      turns.length === 0
        ? "No turn of this conversation has a checkpoint with changed files."
        : `There is no checkpoint ${which}; ${turns.length === 1 ? "there is one" : `there are ${turns.length}`}.`,
      { exitCode: 2 },
    );
  return { turn, checkpoints: turns.slice(0, at + 1).flatMap(({ checkpoints }) => checkpoints) };
}
