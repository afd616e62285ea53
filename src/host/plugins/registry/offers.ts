import type { ChatPost } from "../../../contract/services/gateway-service.ts";
import type { PluginContext, PluginSecrets, PluginStorage } from "../../../contract/plugins/plugin.ts";
import type { SkillShelf } from "../../../contract/plugins/skill.ts";
import type { GuardedProxy } from "../../../contract/providers/web.ts";

type Jobs = Awaited<ReturnType<PluginContext["jobs"]>>;
type Return = Awaited<ReturnType<PluginContext["browserReturn"]>>;
/** Everything a plugin may use through its context, including what its members return. */
export type Member =
  | (keyof PluginContext & string)
  | `chats.${keyof ChatPost & string}`
  | `jobs.${keyof Jobs & string}`
  | `skills.${keyof SkillShelf & string}`
  | `secrets.${keyof PluginSecrets & string}`
  | `storage.${keyof PluginStorage & string}`
  | `sessions.${keyof PluginContext["sessions"] & string}`
  | `proxy.${keyof GuardedProxy & string}`
  | `browserReturn.${keyof Return & string}`;

/** Why a member is missing, and the alternative; both complete a sentence. */
export interface Refusal {
  readonly why: string;
  readonly instead: string;
  /** In the agent itself it works, so a user's own TypeScript plugin that uses it while it registers runs there. */
  readonly inAgent?: true;
}

export interface Offer {
  /** The member's name in Python, or why Python has none. */
  readonly python: string | Refusal;
  /** Only if a Node process does not offer it. */
  readonly node?: Refusal;
  /** Only if a plugin from elsewhere may not use it, in any language. */
  readonly elsewhere?: Refusal;
  /** The contract returns it without a promise: a Node runtime blocks until the answer arrives. */
  readonly now?: "method" | "value";
}

const SHIPPED: Refusal = {
  why: "only the user and bundled plugins may write settings",
  instead: "Print the command for the user: hermes config set NAME VALUE.",
};
const LATER: Refusal = {
  why: "its process can end and restart at any time, and would lose what it registered later",
  instead:
    "Register everything in register(); a TypeScript plugin of your own can run in the agent: hermes config set plugins.entries.NAME.host here.",
  inAgent: true,
};
const SOCKETS: Refusal = {
  why: "the messages of a WebSocket do not cross to another process",
  instead:
    "Open your own through ctx.proxy; a TypeScript plugin of your own can run in the agent: hermes config set plugins.entries.NAME.host here.",
  inAgent: true,
};
const PROVIDERS: Refusal = {
  why: "a provider's objects have TypeScript methods",
  instead: "Call the tool that uses it, by ctx.call or ctx.dispatch_tool.",
};
const grant = (why: string, tool: string): Refusal => ({
  why,
  instead: `Call ${tool}; Hermes asks the user whether the plugin may.`,
});
const CHATS = grant("a message would look like the agent's own", "send_message");
const JOBS = grant("a job runs unattended", "cronjob");
const SKILLS = grant("skills are instructions to the model", "skills_list or skill_view");
const SESSIONS = grant("it may not see other conversations", "session_search");
const HOME: Refusal = { why: "the files of the home are the agent's", instead: "Keep values in ctx.storage." };

/**
 * Whether each runtime offers each member. A new member of the contract fails the types here, and a test asks the
 * runtimes themselves. The protocol's page, `hermes plugins check` and the errors use these texts.
 */
export const OFFERS: { readonly [M in Member]: Offer } = {
  id: { python: "id" },
  version: { python: "version" },
  dir: { python: "dir" },
  home: { python: "home" },
  log: { python: "log" },
  config: { python: "config", now: "value" },
  setting: { python: "setting", now: "method" },
  signal: { python: "signal" },
  env: { python: "env", now: "method" },
  tool: { python: "register_tool" },
  tools: { python: "tools", now: "method" },
  toolset: { python: "register_toolset" },
  provide: { python: "provide" },
  use: {
    python: PROVIDERS,
    elsewhere: {
      why: "no grant covers what it would access",
      instead: "Call a tool; Hermes asks the user whether the plugin may.",
    },
  },
  hook: { python: "register_hook" },
  middleware: { python: "register_middleware" },
  command: { python: "register_command" },
  cli: { python: "register_cli_command" },
  fetch: { python: "fetch" },
  socket: { python: SOCKETS, node: SOCKETS },
  proxy: { python: "proxy" },
  "proxy.serve": { python: "proxy.serve" },
  "proxy.judge": { python: "proxy.judge" },
  skill: { python: "register_skill" },
  skills: { python: "skills", elsewhere: SKILLS },
  "skills.folder": { python: "skills.folder", now: "value", elsewhere: SKILLS },
  "skills.bundled": { python: "skills.bundled", now: "value", elsewhere: SKILLS },
  "skills.seed": { python: "skills.seed", elsewhere: SKILLS },
  "skills.reseed": { python: "skills.reseed", elsewhere: SKILLS },
  "skills.setEnabled": { python: "skills.set_enabled", elsewhere: SKILLS },
  "skills.all": { python: "skills.all", elsewhere: SKILLS },
  "skills.roots": { python: "skills.roots", now: "method", elsewhere: SKILLS },
  "skills.head": { python: "skills.head", elsewhere: SKILLS },
  "skills.has": { python: "skills.has", now: "method", elsewhere: SKILLS },
  "skills.judge": { python: "skills.judge", elsewhere: SKILLS },
  "skills.fetch": { python: "skills.fetch", elsewhere: SKILLS },
  "skills.publish": { python: "skills.publish", elsewhere: SKILLS },
  "skills.ofPlugins": { python: "skills.of_plugins", now: "method", elsewhere: SKILLS },
  "skills.asleep": { python: "skills.asleep", elsewhere: SKILLS },
  call: { python: "call" },
  storage: { python: "storage" },
  "storage.get": { python: "storage.get" },
  "storage.set": { python: "storage.set" },
  "storage.delete": { python: "storage.delete" },
  "storage.keys": { python: "storage.keys" },
  changeFile: { python: "change_file", elsewhere: HOME },
  llm: { python: "llm" },
  redact: { python: "redact", now: "method" },
  package: {
    python: { why: "Python imports its packages itself", instead: "Name them in pip_dependencies of plugin.yaml." },
  },
  sessions: { python: "sessions", elsewhere: SESSIONS },
  "sessions.list": { python: "sessions.list", elsewhere: SESSIONS },
  "sessions.find": { python: "sessions.find", elsewhere: SESSIONS },
  "sessions.latest": { python: "sessions.latest", elsewhere: SESSIONS },
  "sessions.facts": { python: "sessions.facts", elsewhere: SESSIONS },
  "sessions.search": { python: "sessions.search", elsewhere: SESSIONS },
  "sessions.branch": { python: "sessions.branch", elsewhere: SESSIONS },
  jobs: { python: "jobs", elsewhere: JOBS },
  "jobs.seenFrom": { python: "jobs.seen_from", elsewhere: JOBS },
  "jobs.list": { python: "jobs.list", elsewhere: JOBS },
  "jobs.find": { python: "jobs.find", elsewhere: JOBS },
  "jobs.create": { python: "jobs.create", elsewhere: JOBS },
  "jobs.change": { python: "jobs.change", elsewhere: JOBS },
  "jobs.pause": { python: "jobs.pause", elsewhere: JOBS },
  "jobs.resume": { python: "jobs.resume", elsewhere: JOBS },
  "jobs.trigger": { python: "jobs.trigger", elsewhere: JOBS },
  "jobs.remove": { python: "jobs.remove", elsewhere: JOBS },
  "jobs.runner": { python: "jobs.runner", elsewhere: JOBS },
  chats: { python: "chats", elsewhere: CHATS },
  "chats.platforms": { python: "chats.platforms", now: "method", elsewhere: CHATS },
  "chats.running": { python: "chats.running", elsewhere: CHATS },
  "chats.destinations": { python: "chats.destinations", now: "method", elsewhere: CHATS },
  "chats.deliver": { python: "chats.deliver", elsewhere: CHATS },
  "chats.heard": { python: "chats.heard", elsewhere: CHATS },
  "chats.speaker": { python: "chats.speaker", elsewhere: CHATS },
  registering: { python: LATER, node: LATER },
  saveConfig: { python: SHIPPED, node: SHIPPED },
  secrets: { python: "secrets" },
  "secrets.read": { python: "secrets.read" },
  "secrets.write": { python: SHIPPED, node: SHIPPED },
  browserReturn: { python: "browser_return" },
  "browserReturn.port": { python: "browser_return.port" },
  "browserReturn.came": { python: "browser_return.came" },
  doctor: { python: "doctor" },
  onUnload: { python: "on_unload" },
  register_tool: { python: "register_tool" },
  register_hook: { python: "register_hook" },
  register_command: { python: "register_command" },
  register_cli_command: { python: "register_cli_command" },
  register_skill: { python: "register_skill" },
  register_memory_provider: { python: "register_memory_provider" },
  register_context_engine: { python: "register_context_engine" },
  register_image_gen_provider: { python: "register_image_gen_provider" },
  register_platform: { python: "register_platform" },
  register_provider: { python: "register_provider" },
  register_video_gen_provider: { python: "register_video_gen_provider" },
  register_web_search_provider: { python: "register_web_search_provider" },
  register_browser_provider: { python: "register_browser_provider" },
  register_tts_provider: { python: "register_tts_provider" },
  register_transcription_provider: { python: "register_transcription_provider" },
  inject_message: { python: "inject_message", now: "method" },
  dispatch_tool: { python: "dispatch_tool" },
};

/** Names of what a member returns: of `jobs` all that begin with `jobs.`. */
export function membersOf(service: "chats" | "jobs" | "skills"): readonly (readonly [name: string, offer: Offer])[] {
  return Object.entries(OFFERS).flatMap(([member, offer]) =>
    member.startsWith(`${service}.`) ? [[member.slice(service.length + 1), offer] as const] : [],
  );
}

/** The members that Python does not have, by the name that a plugin would use, with the reason and the alternative. */
export function refusedInPython(): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(OFFERS).flatMap(([member, { python }]) =>
      typeof python === "string" ? [] : [[snake(member), `${python.why}. ${python.instead}`]],
    ),
  );
}

/** `saveConfig` as Python would spell it. */
export function snake(member: string): string {
  return member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The error for a plugin that uses a member its runtime does not have, with the alternative. */
export function refusalWords(plugin: string, member: string, { why, instead }: Refusal): string {
  return `The plugin "${plugin}" cannot use ctx.${member} here: ${why}. ${instead.replace("entries.NAME", `entries.${plugin}`)}`;
}
