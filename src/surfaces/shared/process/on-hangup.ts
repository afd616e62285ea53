/**
 * Hears of a terminal that is gone. The signal comes for the window, again when the shell in it ends, and once more from a stream that fails:
 * whoever heard one ends in order, and none that comes meanwhile, or after the last listener has gone, cuts that off.
 */
export function onHangup(listener: (signal: NodeJS.Signals) => void): Disposable {
  if (!process.listeners("SIGHUP").includes(goOn)) process.on("SIGHUP", goOn);
  process.on("SIGHUP", listener);
  return { [Symbol.dispose]: () => void process.off("SIGHUP", listener) };
}

function goOn(): void {}
