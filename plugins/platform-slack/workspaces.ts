import { UserError, type GuardedFetch, type Logger } from "hermes-agent/plugin";
import { slackApi, slackError, withToken, type SlackApi } from "./slack-api.ts";
import type { Conversation } from "./slack-types.ts";

const MOST_CHATS = 3_000;

/** One workspace and the bot in it. */
export class Workspace {
  readonly api: SlackApi;
  readonly team: string;
  readonly name: string;
  /** The bot's user id. */
  readonly user: string;
  readonly bot: string | undefined;
  readonly botName: string;
  readonly #names = new Map<string, Promise<string | undefined>>();

  constructor(api: SlackApi, account: Account) {
    this.api = api;
    this.team = account.team_id;
    this.name = account.team;
    this.user = account.user_id;
    this.bot = account.bot_id;
    this.botName = account.user;
  }

  /** A user's display name; `undefined` if Slack does not give it. */
  async nameOf(user: string): Promise<string | undefined> {
    let name = this.#names.get(user);
    if (name === undefined) {
      name = this.#ask(user);
      this.#names.set(user, name);
    }
    return name;
  }

  async #ask(user: string): Promise<string | undefined> {
    try {
      const reply = await this.api.call<UserReply>("users.info", { user }, { repeatable: true, waitMs: 0 });
      const { name, real_name, profile } = reply.user;
      return profile?.display_name || real_name || name;
    } catch (cause) {
      if (slackError(cause) === "") this.#names.delete(user); // Ask again after an outage.
      return undefined;
    }
  }

  /** The conversations that the bot is a member of. */
  async conversations(): Promise<readonly Conversation[]> {
    const found: Conversation[] = [];
    for (let cursor = ""; ;) {
      const { channels, response_metadata } = await this.api.call<ListReply>(
        "users.conversations",
        { types: "public_channel,private_channel,mpim,im", exclude_archived: true, limit: 200, cursor },
        { repeatable: true },
      );
      found.push(...channels);
      cursor = response_metadata?.next_cursor ?? "";
      if (cursor === "" || found.length >= MOST_CHATS) return found;
    }
  }
}

/** The workspaces of one app, and which channel is in which. */
export class Workspaces {
  readonly #all: readonly Workspace[];
  readonly #ofChannel = new Map<string, Workspace>();

  constructor(all: readonly Workspace[]) {
    this.#all = all;
  }

  /** @throws {UserError} if Slack rejects every token. */
  static async open(
    tokens: readonly string[],
    { baseUrl, fetch, log }: { readonly baseUrl: string; readonly fetch: GuardedFetch; readonly log: Logger },
  ): Promise<Workspaces> {
    const all: Workspace[] = [];
    let refused: UserError | undefined;
    for (const token of tokens) {
      const api = slackApi(baseUrl, token, fetch);
      try {
        const account = await withToken("SLACK_BOT_TOKEN or slack_tokens.json", () =>
          api.call<Account>("auth.test", {}, { repeatable: true }),
        );
        all.push(new Workspace(api, account));
      } catch (cause) {
        if (!(cause instanceof UserError)) throw cause;
        refused = cause;
        if (tokens.length > 1) log.warning(`One workspace is not served: ${cause.message}`);
      }
    }
    if (all.length === 0 && refused !== undefined) throw refused;
    return new Workspaces(all);
  }

  get all(): readonly Workspace[] {
    return this.#all;
  }

  /** The first of these workspaces that the bot serves; notes that the channel is in it. */
  of(teams: readonly (string | null | undefined)[], channel: string): Workspace | undefined {
    const found = teams.map((team) => this.#all.find((one) => one.team === team)).find((one) => one !== undefined);
    if (found !== undefined) this.#ofChannel.set(channel, found);
    return found;
  }

  /** The workspace of a channel; asks each if no message from there came yet. */
  async ofChannel(channel: string): Promise<Workspace> {
    const [first] = this.#all;
    if (this.#all.length === 1) return first!;
    const known = this.#ofChannel.get(channel);
    if (known !== undefined) return known;
    for (const workspace of this.#all) {
      if (!(await isThere(workspace, channel))) continue;
      this.#ofChannel.set(channel, workspace);
      return workspace;
    }
    return first!;
  }
}

/** Whether a workspace has a channel, or a user. */
async function isThere({ api }: Workspace, id: string): Promise<boolean> {
  try {
    if (/^[UW]/.test(id)) await api.call("users.info", { user: id }, { repeatable: true });
    else await api.call("conversations.info", { channel: id }, { repeatable: true });
    return true;
  } catch (cause) {
    if (slackError(cause) === "") throw cause;
    return false;
  }
}

interface Account {
  readonly team: string;
  readonly team_id: string;
  readonly user: string;
  readonly user_id: string;
  readonly bot_id?: string;
}

interface UserReply {
  readonly user: {
    readonly name?: string;
    readonly real_name?: string;
    readonly profile?: { readonly display_name?: string };
  };
}

interface ListReply {
  readonly channels: readonly Conversation[];
  readonly response_metadata?: { readonly next_cursor?: string };
}
