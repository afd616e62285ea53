import { HttpRefusal } from "hermes-agent/platform";
import type { MattermostApi } from "./mattermost-api.ts";
import type { PostList } from "./mattermost-types.ts";

export interface Thread {
  /** The text of its first post. */
  readonly text: string;
  /** The agent wrote in it. */
  takesPart: boolean;
}

const MOST = 1_000;

/** Knows in which threads the agent takes part, also after a restart. */
export class Threads {
  readonly #api: MattermostApi;
  readonly #threads = new Map<string, Thread>();

  constructor(api: MattermostApi) {
    this.#api = api;
  }

  /** @returns the thread, and whether this is the first look at it. */
  async of(root: string, bot: string): Promise<Thread & { readonly first: boolean }> {
    const known = this.#threads.get(root);
    if (known !== undefined && known.text !== "") return { ...known, first: false };
    const thread = await this.#read(root, bot);
    if (known?.takesPart === true) thread.takesPart = true;
    this.#note(root, thread);
    return { ...thread, first: true };
  }

  joined(root: string): void {
    const known = this.#threads.get(root);
    if (known === undefined) this.#note(root, { text: "", takesPart: true });
    else known.takesPart = true;
  }

  async #read(root: string, bot: string): Promise<Thread> {
    try {
      const { posts } = await this.#api.ask<PostList>(`/posts/${root}/thread`);
      return {
        text: posts[root]?.message ?? "",
        takesPart: Object.values(posts).some(({ user_id }) => user_id === bot),
      };
    } catch (cause) {
      if (cause instanceof HttpRefusal && (cause.status === 403 || cause.status === 404))
        return { text: "", takesPart: false };
      throw cause;
    }
  }

  #note(root: string, thread: Thread): void {
    this.#threads.delete(root);
    this.#threads.set(root, thread);
    if (this.#threads.size > MOST) this.#threads.delete(this.#threads.keys().next().value!);
  }
}
