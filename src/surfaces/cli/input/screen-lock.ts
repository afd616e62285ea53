let taken: (() => void) | undefined;

/** Reserves the terminal until the result is disposed. `leave` restores it, also after a crash, and runs once. */
export function takeScreen(leave: () => void): Disposable {
  taken = leave;
  return { [Symbol.dispose]: leaveScreen };
}

/** Call before printing: the user may be looking at a full screen. */
export function leaveScreen(): void {
  const leave = taken;
  taken = undefined;
  leave?.();
}
