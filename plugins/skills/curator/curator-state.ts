import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { UsageDoor } from "../usage.ts";

/** When the curator ran, and whether it may. The keys are the original's. */
export interface CuratorState {
  readonly last_run_at: string | null;
  readonly last_run_summary: string | null;
  readonly paused: boolean;
  readonly run_count: number;
  /** From when on the interval counts while it has never run. */
  readonly first_seen_at?: string;
}

const FILE = ".curator_state";
const NEW: CuratorState = { last_run_at: null, last_run_summary: null, paused: false, run_count: 0 };

export function readState(skills: string): CuratorState {
  const file = join(skills, FILE);
  return existsSync(file) ? parsed(readFileSync(file, "utf8")) : NEW;
}

export async function changeState(
  { skills, home, changeFile }: UsageDoor,
  change: (state: CuratorState) => CuratorState,
): Promise<void> {
  await changeFile(
    join(skills.folder, FILE).slice(home.length + 1),
    (text) => `${JSON.stringify(change(text === undefined ? NEW : parsed(text)), undefined, 1)}\n`,
  );
}

/** One that cannot be read pauses: nothing is put away on a guess. */
function parsed(text: string): CuratorState {
  try {
    return { ...NEW, ...(JSON.parse(text) as Partial<CuratorState>) };
  } catch {
    return { ...NEW, paused: true };
  }
}
