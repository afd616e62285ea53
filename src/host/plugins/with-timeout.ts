/** The work's result, or `late` if it takes longer; it then continues. Rejects as the work does. */
export async function withPatience(work: Promise<void>, ms: number): Promise<"late" | "done"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => (timer = setTimeout(() => resolve("late"), ms)));
  try {
    return await Promise.race([work.then(() => "done" as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
