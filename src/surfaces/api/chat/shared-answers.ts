/** Work under a key: whoever comes while it goes on shares it, and it is stopped when all of them have gone. */
export class SharedAnswers<Answer> {
  readonly #going = new Map<
    string,
    { readonly answer: Promise<Answer>; readonly nobody: AbortController; readers: number }
  >();

  /** @param work Begun once for all; its signal is aborted when nobody waits for it. */
  async share(key: string, gone: AbortSignal, work: (none: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const going = this.#going.get(key) ?? this.#begin(key, work);
    going.readers++;
    const leave = (): void => {
      going.readers--;
      if (going.readers === 0) going.nobody.abort();
    };
    if (gone.aborted) leave();
    else gone.addEventListener("abort", leave, { once: true });
    try {
      return await going.answer;
    } finally {
      gone.removeEventListener("abort", leave);
    }
  }

  #begin(key: string, work: (none: AbortSignal) => Promise<Answer>) {
    const none = new AbortController();
    const answer = work(none.signal);
    const going = { answer, nobody: none, readers: 0 };
    this.#going.set(key, going);
    const over = (): void => void this.#going.delete(key);
    answer.then(over, over);
    return going;
  }
}
