/** The work's end, or `late` when it takes longer; it goes on then. Rejects as the work does. */
export async function withPatience(work: Promise<void>, ms: number): Promise<"late" | "done"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => (timer = setTimeout(() => resolve("late"), ms)));
  try {
    return await Promise.race([work.then(() => "done" as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
