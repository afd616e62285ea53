const SLOW_MS = 1_000;

/** Shows what the user is waiting for. */
export type Say = (words: string) => void;

/** Tells what is being waited for once that has lasted a second, and from then on each time it is something else. */
export function slowProgress(report: Say | undefined, first: string): { readonly say: Say } & Disposable {
  let newest = first;
  let slow = false;
  const timer = setTimeout(() => {
    slow = true;
    report?.(newest);
  }, SLOW_MS);
  timer.unref();
  return {
    say: (words) => {
      newest = words;
      if (slow) report?.(words);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
