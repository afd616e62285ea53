import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripTerminalSequences } from "@earendil-works/pi-tui";
import { editFile } from "../../input/text-editor.ts";
import type { Screen } from "../screen.ts";
import { Pager } from "./pager.ts";
import type { Theme } from "./theme.ts";

/** Columns of a text for another pager, which cuts or wraps lines itself. */
const FILE_COLUMNS = 200;

/**
 * Shows what the calls did and printed: in the pager of the screen, or in another.
 * @param command `display.pager`: a shell command that is given a file; "": the pager of the screen.
 * @returns Whether there is anything to read.
 */
export async function readOutputs(screen: Screen, theme: Theme, command: string): Promise<boolean> {
  const cards = screen.conversation.readable();
  const newest = cards.at(-1);
  if (newest === undefined) return false;
  if (command !== "") {
    const { title, lines } = newest.whole(FILE_COLUMNS);
    await inOtherPager(screen, command, stripTerminalSequences(`${title}\n\n${lines.join("\n")}\n`));
    return true;
  }
  const pages = (columns: number) => cards.map((card) => card.whole(columns));
  screen.cover((close) => new Pager({ theme, pages, rows: () => screen.tui.terminal.rows, close }));
  return true;
}

async function inOtherPager(screen: Screen, command: string, text: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "hermes-output-"));
  try {
    const file = join(folder, "output.txt");
    await writeFile(file, text);
    await screen.whileLeft(() => editFile(command, file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  screen.tui.requestRender();
}
