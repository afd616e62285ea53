let taken: (() => void) | undefined;

/** Somebody drives the terminal until the result is disposed; `leave` makes it what it was, also when the program breaks. Runs once. */
export function takeScreen(leave: () => void): Disposable {
  taken = leave;
  return { [Symbol.dispose]: leaveScreen };
}

/** Before something is told to a person who may be looking at a screen of its own. */
export function leaveScreen(): void {
  const leave = taken;
  taken = undefined;
  leave?.();
}
