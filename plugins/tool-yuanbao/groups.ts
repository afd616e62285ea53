import { ToolFailure, type JsonObject } from "hermes-agent/plugin";
import { FROM, type Line } from "./wire/line.ts";
import { GROUP_REQUEST, GROUP_RESPONSE, MEMBERS_REQUEST, MEMBERS_RESPONSE } from "./wire/messages.ts";

export interface Member {
  readonly user_id: string;
  readonly nickname: string;
  readonly role: string;
}

export interface MembersInput {
  readonly group_code: string;
  readonly action?: "find" | "list_bots" | "list_all" | undefined;
  readonly name?: string | undefined;
  readonly mention?: boolean | undefined;
}

const ROLES = ["unknown", "user", "yuanbao_ai", "bot"];
const PAGE = 200;
const MAX_PAGES = 25;

/** yb_query_group_info. */
export async function groupInfo(group_code: string, line: Line, signal: AbortSignal): Promise<JsonObject> {
  const { group } = await line.ask(
    {
      command: "query_group_info",
      request: GROUP_REQUEST,
      response: GROUP_RESPONSE,
      values: { group: group_code },
      changes: false,
    },
    signal,
  );
  return {
    success: true,
    group_code,
    group_name: group.name,
    member_count: group.size,
    owner: { user_id: group.ownerId, nickname: group.ownerName },
    note: "In the app a group is called 派 (Pai).",
  };
}

/** All members of a group. */
export async function membersOf(group_code: string, line: Line, signal: AbortSignal): Promise<readonly Member[]> {
  const members: Member[] = [];
  for (let [from, pages] = [0, 0]; pages < MAX_PAGES; pages += 1) {
    const message = await line.ask(
      {
        command: "get_group_member_list",
        request: MEMBERS_REQUEST,
        response: MEMBERS_RESPONSE,
        values: { group: group_code, from, most: PAGE },
        changes: false,
      },
      signal,
    );
    members.push(
      ...message.members.map(({ id, name, kind }) => ({ user_id: id, nickname: name, role: ROLES[kind] ?? "unknown" })),
    );
    if (message.complete !== 0 || message.next <= from || message.members.length === 0) break;
    from = message.next;
  }
  if (members.length === 0)
    throw new ToolFailure("not_found", `Yuanbao returned no members of the group ${group_code}.`, {
      data: { success: false },
    });
  return members;
}

/** yb_query_group_members. */
export async function groupMembers(
  { group_code, action = "list_all", name = "", mention = false }: MembersInput,
  line: Line,
  signal: AbortSignal,
): Promise<JsonObject> {
  const all = await membersOf(group_code, line, signal);
  const hint = mention
    ? { mention_hint: 'To mention a member, write a space, @, the nickname and a space, such as " @Alice ".' }
    : {};
  const message = (members: readonly Member[], msg: string): JsonObject => ({
    success: true,
    msg,
    members: members.map((one) => ({ ...one })),
    ...hint,
  });
  if (action === "list_bots") {
    const bots = all.filter(({ role }) => role === "bot" || role === "yuanbao_ai");
    if (bots.length === 0) throw new ToolFailure("not_found", "This group has no bots.", { data: { success: false } });
    return message(bots, `${counted(bots.length, "bot")}.`);
  }
  if (action === "list_all" || name.trim() === "") return message(all, `${counted(all.length, "member")}.`);
  const found = withName(all, name);
  if (found.length > 0) return message(found, `${counted(found.length, "member")} with "${name.trim()}" in the name.`);
  throw new ToolFailure(
    "not_found",
    `No member's name contains "${name.trim().slice(0, 60)}"; all members are listed.`,
    { data: { success: false, members: all.map((one) => ({ ...one })), ...hint }, from: FROM },
  );
}

/** Matches a part of the name, ignoring case. */
export function withName<Of extends Pick<Member, "nickname">>(members: readonly Of[], name: string): readonly Of[] {
  const wanted = name.trim().toLowerCase();
  return members.filter(({ nickname }) => nickname.toLowerCase().includes(wanted));
}

function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`}`;
}
