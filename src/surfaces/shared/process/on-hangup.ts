/**
 * Listens for a closed terminal. The signal can arrive for the window, for its shell and for a failed stream. The
 * default action stays disabled, so that a repeated signal does not cut off a clean end.
 */
export function onHangup(listener: (signal: NodeJS.Signals) => void): Disposable {
  if (!process.listeners("SIGHUP").includes(ignore)) process.on("SIGHUP", ignore);
  process.on("SIGHUP", listener);
  return { [Symbol.dispose]: () => void process.off("SIGHUP", listener) };
}

function ignore(): void {}
