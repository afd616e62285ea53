/** Does this for each, so many at a time; the first that fails ends it. In the order that was given. */
export async function inTurns<A, B>(
  all: readonly A[],
  atOnce: number,
  each: (one: A) => Promise<B>,
): Promise<readonly B[]> {
  const done: B[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < all.length; at = next++) done[at] = await each(all[at]!);
  };
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, work));
  } finally {
    next = all.length;
  }
  return done;
}
