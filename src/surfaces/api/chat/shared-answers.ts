/** Work under a key: concurrent callers share it, and it stops when all of them have left. */
export class SharedAnswers<Answer> {
  readonly #going = new Map<
    string,
    { readonly answer: Promise<Answer>; readonly abandoned: AbortController; readers: number }
  >();

  /** @param work Started once for all callers; its signal aborts when no caller waits. */
  async share(key: string, gone: AbortSignal, work: (abandoned: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const going = this.#going.get(key) ?? this.#begin(key, work);
    going.readers++;
    const leave = (): void => {
      going.readers--;
      if (going.readers === 0) going.abandoned.abort();
    };
    if (gone.aborted) leave();
    else gone.addEventListener("abort", leave, { once: true });
    try {
      return await going.answer;
    } finally {
      gone.removeEventListener("abort", leave);
    }
  }

  #begin(key: string, work: (abandoned: AbortSignal) => Promise<Answer>) {
    const abandoned = new AbortController();
    const answer = work(abandoned.signal);
    const going = { answer, abandoned, readers: 0 };
    this.#going.set(key, going);
    const over = (): void => void this.#going.delete(key);
    answer.then(over, over);
    return going;
  }
}
