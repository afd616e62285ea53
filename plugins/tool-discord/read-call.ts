import { ToolFailure, type Json } from "hermes-agent/plugin";
import { ACTIONS, allowedActions, type Action, type DiscordInput } from "./actions.ts";

export type ReadInput = DiscordInput & { readonly of: Action };

const IDS = ["guild_id", "channel_id", "user_id", "role_id", "message_id", "before", "after"] as const;
const SNOWFLAKE = /^\d{15,21}$/;
/** IDs in mention form: `<#1>`, `<@1>`, `<@!1>`, `<@&1>`. */
const MENTION = /^<(?:#|@[!&]?)(\d{15,21})>$/;

/** Checks the arguments. @throws {ToolFailure} for an unknown or forbidden action or a missing argument. */
export function readCall(tool: Action["tool"], given: DiscordInput, setting: Json | undefined): ReadInput {
  const of = ACTIONS.get(given.action);
  const allowed = allowedActions(tool, setting);
  if (of === undefined || of.tool !== tool)
    throw wrong(`${tool} has no action "${given.action.slice(0, 100)}".`, `Actions: ${allowed.join(", ")}.`);
  if (!allowed.includes(given.action))
    throw new ToolFailure("blocked", `The settings do not allow the action "${given.action}".`, {
      hint: `discord.server_actions allows: ${allowed.join(", ") || "nothing"}.`,
    });
  const missing = of.needs.filter((name) => given[name] === undefined || String(given[name]).trim() === "");
  if (missing.length > 0) throw wrong(`${given.action} needs ${missing.join(" and ")}.`);
  const used = new Set<string>([...of.needs, ...(of.takes ?? [])]);
  // Drops arguments that the action does not take.
  const ids: Partial<Record<(typeof IDS)[number], string | undefined>> = Object.fromEntries(
    IDS.map((name) => [
      name,
      used.has(name) && (given[name] ?? "").trim() !== "" ? idOf(name, given[name]!) : undefined,
    ]),
  );
  return { ...given, ...ids, of };
}

/** A required ID; `readCall` has checked that it is present. */
export function need(input: ReadInput, name: keyof DiscordInput): string {
  return String(input[name]);
}

/** The form in the URL of a reaction: the character itself, or `name:id`. */
export function emojiOf(given: string): string {
  const own = /^<?a?:?(\w{2,32}:\d{15,21})>?$/.exec(given.trim())?.[1];
  if (own !== undefined) return encodeURIComponent(own);
  const emoji = given.trim();
  // A heart may lack the variation selector that makes it an emoji.
  const known = [emoji, `${emoji}\uFE0F`].find((one) => /^\p{RGI_Emoji}$/v.test(one));
  if (known === undefined)
    throw wrong(
      `"${emoji.slice(0, 60)}" is not an emoji.`,
      "Use a character such as 👍, or name:id for a custom emoji of the server.",
    );
  return encodeURIComponent(known);
}

function idOf(name: string, given: string): string {
  const id = MENTION.exec(given.trim())?.[1] ?? given.trim();
  if (!SNOWFLAKE.test(id))
    throw wrong(
      `${name} "${given.slice(0, 60)}" is not a Discord ID.`,
      "IDs are numbers of 17 to 20 digits; names do not work.",
    );
  return id;
}

function wrong(message: string, hint?: string): ToolFailure {
  return new ToolFailure("bad_arguments", message, hint === undefined ? {} : { hint });
}
