import type { Logger, PlatformMessage } from "hermes-agent/plugin";
import { inWords, isOwn } from "./read-message.ts";
import { slackError } from "./slack-api.ts";
import type { SlackMessage } from "./slack-types.ts";
import type { Workspace } from "./workspaces.ts";

const MOST_THREADS = 5_000;
const MOST_LINES = 20;

/** In which threads the agent takes part, and what was written there before. */
export class Threads {
  readonly #joined = new Map<string, boolean>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The agent wrote in this thread, or began it. */
  join(channel: string, thread: string): void {
    this.#note(`${channel}:${thread}`, true);
  }

  /** Asks Slack once for a thread that it does not know, such as one from before the start. */
  async takesPart(workspace: Workspace, channel: string, thread: string): Promise<boolean> {
    const known = this.#joined.get(`${channel}:${thread}`);
    if (known !== undefined) return known;
    const messages = await this.#read(workspace, channel, thread);
    const joined = messages?.some((message) => isOwn(message, workspace)) ?? false;
    if (messages !== undefined) this.#note(`${channel}:${thread}`, joined);
    return joined;
  }

  /** What others wrote in a thread before a message; nothing if the agent has read along. */
  async before(
    workspace: Workspace,
    { channel, ts, thread_ts = ts }: { readonly channel: string; readonly ts: string; readonly thread_ts?: string },
  ): Promise<Pick<PlatformMessage, "reply_to_text" | "channel_context">> {
    if (thread_ts === ts || this.#joined.get(`${channel}:${thread_ts}`) === true) return {};
    const messages = (await this.#read(workspace, channel, thread_ts)) ?? [];
    const [parent, ...rest] = messages.filter((one) => !isOwn(one, workspace) && one.ts !== ts);
    const lines: string[] = [];
    const from = parent?.ts === thread_ts ? rest : messages.filter((one) => !isOwn(one, workspace) && one.ts !== ts);
    for (const { user = "", text = "" } of from.slice(-MOST_LINES))
      lines.push(`${(await workspace.nameOf(user)) ?? user}: ${await inWords(text, workspace)}`);
    return {
      reply_to_text: parent?.ts === thread_ts ? await inWords(parent.text ?? "", workspace) : undefined,
      channel_context: lines.length === 0 ? undefined : lines.join("\n"),
    };
  }

  /** `undefined`: Slack cannot be reached. */
  async #read(workspace: Workspace, channel: string, ts: string): Promise<readonly SlackMessage[] | undefined> {
    try {
      const { messages } = await workspace.api.call<{ readonly messages: readonly SlackMessage[] }>(
        "conversations.replies",
        { channel, ts, limit: 100 },
        { repeatable: true, waitMs: 2_000 },
      );
      return messages;
    } catch (cause) {
      this.#log.info(`Cannot read a thread of Slack: ${(cause as Error).message}`);
      return slackError(cause) === "" || slackError(cause) === "ratelimited" ? undefined : [];
    }
  }

  #note(key: string, joined: boolean): void {
    this.#joined.delete(key);
    this.#joined.set(key, joined);
    if (this.#joined.size > MOST_THREADS) this.#joined.delete(this.#joined.keys().next().value!);
  }
}
