import type { Process, ScreenSize } from "hermes-agent/plugin";

/** A window that is dragged changes often; only where it comes to rest counts. */
const REST_MS = 100;

/** Of the screen that the agent itself runs on; `undefined` where it has none. */
export function screenSize(): ScreenSize | undefined {
  const { isTTY, rows, columns } = process.stdout;
  return isTTY && rows > 0 && columns > 0 ? { rows, columns } : undefined;
}

const following = new Set<Process>();
let timer: NodeJS.Timeout | undefined;

/** Until it ends, a program in a pseudo-terminal gets the size of that screen whenever it changes. */
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
    if (size !== undefined) for (const program of following) void program.resize?.(size).catch(() => {}); // It has ended, or its place is gone.
  }, REST_MS);
  timer.unref();
}
