import type { JsonObject } from "hermes-agent/plugin";
import { filesOf } from "./files-of.ts";
import { inWords, isDirect, isOwn, isWritten, meantFor, placed } from "./read-message.ts";
import type { RecentMessages } from "./recent-messages.ts";
import type { SlackSettings } from "./settings.ts";
import type { SlackPorts } from "./slack-ports.ts";
import type { ActionPayload, CommandPayload, EventPayload, MessageEvent } from "./slack-types.ts";
import type { Threads } from "./threads.ts";
import { toMrkdwn } from "./to-mrkdwn.ts";
import type { Workspace, Workspaces } from "./workspaces.ts";

/** What arrives from Slack, on its way to the gateway. */
export class Inbox {
  readonly #settings: SlackSettings;
  readonly #ports: SlackPorts;
  readonly #threads: Threads;
  readonly #workspaces: Workspaces;
  readonly #recent: RecentMessages;

  constructor(
    settings: SlackSettings,
    ports: SlackPorts,
    known: { readonly threads: Threads; readonly workspaces: Workspaces; readonly recent: RecentMessages },
  ) {
    this.#settings = settings;
    this.#ports = ports;
    this.#threads = known.threads;
    this.#workspaces = known.workspaces;
    this.#recent = known.recent;
  }

  /** Passes an envelope to the gateway; resolves when it is stored. @returns what Slack shows to the user. */
  async take(type: string, payload: JsonObject): Promise<JsonObject | undefined> {
    if (type === "events_api") await this.#event(payload as unknown as EventPayload);
    if (type === "interactive") await this.#press(payload as unknown as ActionPayload);
    return type === "slash_commands" ? this.#command(payload as unknown as CommandPayload) : undefined;
  }

  async #event({ team_id, authorizations = [], event }: EventPayload): Promise<void> {
    if (event === undefined || (event.type !== "message" && event.type !== "app_mention")) return;
    const teams = [...authorizations.map(({ team_id: team }) => team), team_id];
    const workspace = this.#workspaces.of(teams, event.channel);
    if (workspace === undefined) return this.#ports.log.info(`Slack sent an event of another workspace: ${team_id}.`);
    if (event.subtype === "message_changed") await this.#takeEdit(event, workspace);
    else if (event.subtype === "message_deleted") await this.#takeDeletion(event);
    else if (isWritten(event)) await this.#read(event, workspace);
  }

  async #read(event: MessageEvent, workspace: Workspace): Promise<void> {
    const { channel, ts, thread_ts } = event;
    // A mention arrives as a message and as a mention.
    if (isOwn(event, workspace) || this.#recent.get(channel, ts) !== undefined) return;
    const raw = meantFor(event, workspace, await this.#takesPart(event, workspace), this.#settings);
    if (raw === undefined) return;
    const place = await placed(event, workspace, this.#settings);
    const said = { ...place, text: await inWords(raw, workspace), message_id: ts };
    // Do not download files of unknown users, or read threads for them.
    const welcome = (await this.#ports.welcome?.(said)) ?? true;
    const { baseUrl } = this.#settings;
    const files = welcome
      ? await filesOf(event.files ?? [], workspace, { home: this.#ports.home, baseUrl })
      : undefined;
    const earlier =
      welcome && thread_ts !== undefined ? await this.#threads.before(workspace, { channel, ts, thread_ts }) : {};
    const shared = (event.attachments ?? []).flatMap(({ is_share, text }) => (is_share === true ? (text ?? []) : []));
    const text = [said.text, ...(files?.notes ?? [])].filter((one) => one !== "").join("\n");
    if (text === "" && (files?.paths ?? []).length === 0 && shared.length === 0) return;
    await this.#ports.message({
      ...said,
      ...earlier,
      reply_to_text: shared.length === 0 ? earlier.reply_to_text : await inWords(shared.join("\n"), workspace),
      text,
      media_urls: files === undefined || files.paths.length === 0 ? undefined : files.paths,
      voice: files?.voice,
    });
    this.#recent.note(channel, ts, place);
  }

  async #takesPart({ channel, channel_type, ts, thread_ts }: MessageEvent, workspace: Workspace): Promise<boolean> {
    if (thread_ts === undefined || thread_ts === ts || isDirect({ channel, channel_type })) return false;
    return !this.#settings.strict && this.#threads.takesPart(workspace, channel, thread_ts);
  }

  async #takeEdit({ channel, channel_type, message, previous_message }: MessageEvent, workspace: Workspace) {
    const place = message === undefined ? undefined : this.#recent.get(channel, message.ts);
    // Slack reports the preview of a link as a change, too.
    if (message === undefined || place === undefined || message.text === previous_message?.text) return;
    const settings = { ...this.#settings, strict: false };
    const raw = meantFor({ ...message, type: "message", channel, channel_type }, workspace, true, settings);
    if (raw !== undefined && raw !== "")
      await this.#ports.message({ ...place, text: await inWords(raw, workspace), edits: message.ts });
  }

  async #takeDeletion({ channel, deleted_ts = "" }: MessageEvent): Promise<void> {
    const place = this.#recent.get(channel, deleted_ts);
    if (place !== undefined) await this.#ports.message({ ...place, text: "", deletes: deleted_ts });
  }

  /** Passes the user who pressed the button to the gateway, which checks access. */
  async #press({ type, team, user, channel, message, actions = [] }: ActionPayload): Promise<void> {
    const { value, action_ts } = actions[0] ?? {};
    if (type !== "block_actions" || channel === undefined || message === undefined || value === undefined) return;
    this.#workspaces.of([team?.id, user.team_id], channel.id);
    await this.#ports.message({
      chat_id: channel.id,
      chat_type: isDirect({ channel: channel.id }) ? "dm" : "group",
      thread_id: message.thread_ts,
      user_id: user.id,
      user_name: user.username,
      message_id: `action:${action_ts}:${user.id}`,
      text: "",
      pressed: value,
    });
  }

  async #subcommand(text: string): Promise<string> {
    const [name = ""] = text.split(/\s/);
    const known = (await this.#ports.commands?.()) ?? [];
    if (text === "") return "/help";
    return known.some((one) => one.name === name.toLowerCase()) ? `/${text}` : text;
  }

  /** `/hermes model fast` and `/model fast` both reach the gateway as `/model fast`; other text of `/hermes` as it is. */
  async #command(payload: CommandPayload): Promise<JsonObject> {
    const { team_id, command, user_id, user_name, channel_id, trigger_id } = payload;
    const rest = (payload.text ?? "").trim();
    const text = command === "/hermes" ? await this.#subcommand(rest) : `${command} ${rest}`.trim();
    this.#workspaces.of([team_id], channel_id);
    await this.#ports.message({
      chat_id: channel_id,
      chat_type: isDirect({ channel: channel_id }) ? "dm" : "group",
      user_id,
      user_name,
      message_id: `command:${trigger_id}`,
      text,
    });
    return { response_type: "ephemeral", text: toMrkdwn(text).slice(0, 3_000) };
  }
}
