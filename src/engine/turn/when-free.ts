/**
 * Runs `act` that many ms after the event loop is next free. A plain timer that expires while the loop is busy runs
 * before everything that arrived meanwhile, such as the connection that a request waits for.
 */
export function whenFree(ms: number, act: () => void): { stop(): void; unref(): void } {
  let timer: NodeJS.Timeout | undefined;
  let referenced = true;
  const free = setImmediate(() => {
    timer = setTimeout(act, ms);
    if (!referenced) timer.unref();
  });
  return {
    stop() {
      clearImmediate(free);
      clearTimeout(timer);
    },
    unref() {
      referenced = false;
      free.unref();
      timer?.unref();
    },
  };
}
