import type { Process, ScreenSize } from "hermes-agent/plugin";

/** Debounce time: a window that is dragged changes often; only its final size counts. */
const REST_MS = 100;

/** Size of the agent's own terminal; `undefined` if it has none. */
export function screenSize(): ScreenSize | undefined {
  const { isTTY, rows, columns } = process.stdout;
  return isTTY && rows > 0 && columns > 0 ? { rows, columns } : undefined;
}

const following = new Set<Process>();
let timer: NodeJS.Timeout | undefined;

/** Forwards size changes of that terminal to a program in a pseudo-terminal until it ends. */
export function followScreen(program: Process): void {
  if (program.resize === undefined || screenSize() === undefined) return;
  if (following.size === 0) process.stdout.on("resize", changed);
  following.add(program);
  void program.ended.then(() => {
    following.delete(program);
    if (following.size === 0) process.stdout.off("resize", changed);
  });
}

function changed(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const size = screenSize();
    if (size !== undefined) for (const program of following) void program.resize?.(size).catch(() => {}); // It has ended, or its environment no longer exists.
  }, REST_MS);
  timer.unref();
}
