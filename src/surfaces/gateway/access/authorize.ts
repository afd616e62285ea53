import type { PlatformMessage } from "../../../contract/providers/platform.ts";

export interface AccessRules {
  readonly platform: string;
  /** Names of the variables; default: `PLATFORM_ALLOWED_USERS`, `PLATFORM_ALLOW_ALL_USERS`. */
  readonly allowedUsersEnv?: string;
  readonly allowAllEnv?: string;
  /** The connection or a signature identifies every sender. */
  readonly authenticated?: boolean;
  variable(name: string): string | undefined;
  paired(userId: string): boolean;
  /** Users who were paired. */
  allPaired(): readonly string[];
}

export interface Access {
  readonly allowed: boolean;
  /** The rule that decided, as its author wrote it. */
  readonly rule: string;
}

/**
 * Decides whether a user may talk to the agent. The first rule that applies decides; without one, access is refused.
 */
export function authorise(
  { user_id, user_id_alt = "" }: Pick<PlatformMessage, "user_id" | "user_id_alt">,
  rules: AccessRules,
): Access {
  if (rules.authenticated === true) return allowed("its connection identifies the sender");
  const first = allowedBy(user_id, rules);
  return first.allowed || user_id_alt === "" ? first : allowedBy(user_id_alt, rules);
}

function allowedBy(user_id: string | undefined, rules: AccessRules): Access {
  if (user_id === undefined || user_id === "") return refused("the message names no user");
  const { listName, allName } = namesOf(rules);
  if (isYes(rules.variable(allName))) return allowed(allName);
  if (lists(rules.variable(listName), user_id)) return allowed(listName);
  if (rules.paired(user_id)) return allowed("pairing");
  if (isYes(rules.variable("GATEWAY_ALLOW_ALL_USERS"))) return allowed("GATEWAY_ALLOW_ALL_USERS");
  if (lists(rules.variable("GATEWAY_ALLOWED_USERS"), user_id)) return allowed("GATEWAY_ALLOWED_USERS");
  return refused("no rule allows this user");
}

/** All users who may talk to the agent on a platform, without duplicates. */
export function everybodyLetIn(rules: AccessRules): readonly string[] | "anybody" {
  const { listName, allName } = namesOf(rules);
  if (isYes(rules.variable(allName)) || isYes(rules.variable("GATEWAY_ALLOW_ALL_USERS"))) return "anybody";
  const users = new Set([
    ...listed(rules.variable(listName)),
    ...listed(rules.variable("GATEWAY_ALLOWED_USERS")),
    ...rules.allPaired(),
  ]);
  return users.has("*") ? "anybody" : [...users];
}

/** Whether an allowlist exists. If it does, the gateway offers no pairing to unknown users by default. */
export function hasAllowlist(rules: AccessRules): boolean {
  return [namesOf(rules).listName, "GATEWAY_ALLOWED_USERS"].some((name) => rules.variable(name) !== undefined);
}

function namesOf({ platform, allowedUsersEnv, allowAllEnv }: AccessRules): {
  readonly listName: string;
  readonly allName: string;
} {
  const prefix = platform.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
  return {
    listName: allowedUsersEnv || `${prefix}_ALLOWED_USERS`,
    allName: allowAllEnv || `${prefix}_ALLOW_ALL_USERS`,
  };
}

/** An id with `@` also matches by the part before the `@`. */
function lists(list: string | undefined, user: string): boolean {
  const names = listed(list);
  const at = user.indexOf("@");
  return names.includes("*") || names.includes(user) || (at > 0 && names.includes(user.slice(0, at)));
}

function listed(list: string | undefined): readonly string[] {
  return (list ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function isYes(value: string | undefined): boolean {
  return value !== undefined && ["1", "true", "yes"].includes(value.trim().toLowerCase());
}

function allowed(rule: string): Access {
  return { allowed: true, rule };
}

function refused(rule: string): Access {
  return { allowed: false, rule };
}
