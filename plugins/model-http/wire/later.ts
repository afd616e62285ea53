/** A stream whose code is loaded when its first event is asked for, and which costs nothing per event after that. */
export function later<T>(load: () => Promise<AsyncIterable<T>>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      let loading: Promise<AsyncIterator<T>> | undefined;
      let loaded: AsyncIterator<T> | undefined;
      const begin = async (): Promise<AsyncIterator<T>> => (loaded = (await load())[Symbol.asyncIterator]());
      return {
        next: () => loaded?.next() ?? (loading ??= begin()).then((stream) => stream.next()),
        async return() {
          // Nothing was asked for: there is nothing to end.
          await (await loading)?.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
