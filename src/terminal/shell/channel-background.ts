import { TerminalUnavailable, type DetachedHandle } from "../../contract/providers/terminal.ts";
import { FedInput } from "./fed-input.ts";
import { resizeCall } from "../program/pseudo-terminal.ts";
import type { BackgroundRun } from "./shell.ts";
import { within } from "../backend/within.ts";

/** How long a place may take to let go of what is to outlive us. */
const LEAVE_LIMIT_MS = 10_000;

/** A background command of a shell that is spoken to through a channel. */
interface InPlace {
  readonly id: number;
  /** Process id in the environment; 0 if the process ended before it was seen. */
  readonly pid: number;
  /** The environment of its processes contains this. */
  readonly mark: string;
  readonly ended: BackgroundRun["ended"];
  /** All that it wrote has come. */
  readonly drained: Promise<void>;
  /** The place went away, or the way to it. */
  readonly lost: Promise<string>;
  order(line: string): void;
  notice(kind: string): Promise<string>;
  stop(graceMs: number | undefined): Promise<unknown>;
  /** It is to outlive us, and its shell with it. */
  leaving(): void;
}

export function channelBackground(it: InPlace): BackgroundRun {
  const fed = new FedInput(async (word) => {
    const taken = it.notice("fed");
    it.order(`printf '%s\\n' ${word} 1<>"$h/${it.id}.feed"`);
    return (await Promise.race([taken, it.ended])) === "";
  });
  return {
    pid: it.pid,
    ended: it.ended,
    leave: () => leave(it),
    write: (text) => fed.write(text),
    endInput: () => fed.end(),
    resize: async (size) => {
      if (it.pid > 0) it.order(resizeCall(it.pid, size));
    },
    kill: async (graceMs) => {
      await it.stop(graceMs);
      await it.ended;
    },
  };
}

/** From now on it runs without us. Resolves when its output so far has been reported. */
async function leave(it: InPlace): Promise<Omit<DetachedHandle, "where">> {
  const { id, pid, mark } = it;
  if (pid === 0) throw new TerminalUnavailable("The process has ended.");
  it.leaving();
  const saved = it.notice("kept");
  const lost = it.lost.then(() => undefined);
  it.order(`hold ${id} ${mark}`);
  await within(LEAVE_LIMIT_MS, Promise.race([it.drained, lost]));
  it.order(`keep ${id} ${mark} ${pid}`);
  const folder = await within(LEAVE_LIMIT_MS, Promise.race([saved, lost]));
  if (folder === undefined) throw new TerminalUnavailable("The terminal backend does not answer.");
  if (folder === "dd")
    throw new TerminalUnavailable("The terminal backend has no dd, which is needed to save the process's output.");
  if (folder === "") throw new TerminalUnavailable("The process has ended.");
  return { folder, pid, mark };
}
