import { ToolFailure, type Json } from "hermes-agent/plugin";
import { ACTIONS, allowedActions, type Action, type DiscordInput } from "./actions.ts";

export type ReadInput = DiscordInput & { readonly of: Action };

const IDS = ["guild_id", "channel_id", "user_id", "role_id", "message_id", "before", "after"] as const;
const SNOWFLAKE = /^\d{15,21}$/;
/** As messages mention them: `<#1>`, `<@1>`, `<@!1>`, `<@&1>`. */
const MENTION = /^<(?:#|@[!&]?)(\d{15,21})>$/;

/** The arguments, checked. @throws {ToolFailure} for what is no action of the tool, is not allowed, or lacks something. */
export function readCall(tool: Action["tool"], given: DiscordInput, setting: Json | undefined): ReadInput {
  const of = ACTIONS.get(given.action);
  const allowed = allowedActions(tool, setting);
  if (of === undefined || of.tool !== tool)
    throw wrong(`${tool} has no action "${given.action.slice(0, 100)}".`, `It has: ${allowed.join(", ")}.`);
  if (!allowed.includes(given.action))
    throw new ToolFailure("blocked", `The settings do not allow the action "${given.action}".`, {
      hint: `discord.server_actions leaves: ${allowed.join(", ") || "nothing"}.`,
    });
  const missing = of.needs.filter((name) => given[name] === undefined || String(given[name]).trim() === "");
  if (missing.length > 0) throw wrong(`${given.action} needs ${missing.join(" and ")}.`);
  const used = new Set<string>([...of.needs, ...(of.takes ?? [])]);
  // What an action does not take is not there for it.
  const ids: Partial<Record<(typeof IDS)[number], string | undefined>> = Object.fromEntries(
    IDS.map((name) => [
      name,
      used.has(name) && (given[name] ?? "").trim() !== "" ? idOf(name, given[name]!) : undefined,
    ]),
  );
  return { ...given, ...ids, of };
}

/** An id that was asked for; `readCall` has seen to it that it is there. */
export function need(input: ReadInput, name: keyof DiscordInput): string {
  return String(input[name]);
}

/** As the address of a reaction wants it: the character itself, or `name:id`. */
export function emojiOf(given: string): string {
  const own = /^<?a?:?(\w{2,32}:\d{15,21})>?$/.exec(given.trim())?.[1];
  if (own !== undefined) return encodeURIComponent(own);
  const emoji = given.trim();
  // A heart may come without what makes it a coloured one.
  const known = [emoji, `${emoji}\uFE0F`].find((one) => /^\p{RGI_Emoji}$/v.test(one));
  if (known === undefined)
    throw wrong(
      `"${emoji.slice(0, 60)}" is no emoji.`,
      "A character such as 👍, or name:id for one of the server's own.",
    );
  return encodeURIComponent(known);
}

function idOf(name: string, given: string): string {
  const id = MENTION.exec(given.trim())?.[1] ?? given.trim();
  if (!SNOWFLAKE.test(id))
    throw wrong(
      `${name} "${given.slice(0, 60)}" is no id of Discord.`,
      "Ids are numbers of 17 to 20 digits; names do not work.",
    );
  return id;
}

function wrong(message: string, hint?: string): ToolFailure {
  return new ToolFailure("bad_arguments", message, hint === undefined ? {} : { hint });
}
