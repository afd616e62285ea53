/** Waits for it at most so long; `undefined` when it took longer. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms, undefined))),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
