import type { App } from "../../../contract/services/app.ts";
import { modelChoices } from "../conversation/model-choices.ts";
import { sessionName } from "../conversation/session-name.ts";
import { homePath } from "../display/home-path.ts";
import { ageText } from "../pickers/age-text.ts";
import { slugOf } from "./skill-message.ts";
import type { Completion, SlashHost } from "./slash-host.ts";

/** Values that slash commands take. */

const SESSIONS = 200;
/** Asking the providers takes requests, so their answers are kept for this long. */
const MODELS_FRESH_MS = 60_000;

const listed = new WeakMap<App, { readonly at: number; readonly names: Promise<readonly string[]> }>();

/** `provider/name` of every ready provider. */
export function models({ app, signal }: SlashHost): Promise<readonly string[]> {
  const known = listed.get(app);
  if (known !== undefined && performance.now() - known.at < MODELS_FRESH_MS) return known.names;
  const names = modelChoices(app, signal, Infinity).then((all) =>
    all.map(({ provider, model }) => `${provider}/${model}`),
  );
  listed.set(app, { at: performance.now(), names });
  return names;
}

export async function sessions({ app, session }: SlashHost): Promise<readonly Completion[]> {
  const now = Date.now();
  const all = await app.sessions.list({ limit: SESSIONS });
  return all
    .filter(({ id, messages }) => id !== session().id && messages > 0)
    .map((each) => ({
      value: each.id,
      about: `${sessionName(each)} · ${ageText(each.lastAt, now)} · ${homePath(each.cwd)}`,
    }));
}

/** `list`, or `enable` and `disable` with the names of what is off or on. */
export async function tools(args: string, { app, surface }: SlashHost): Promise<readonly Completion[]> {
  const verb = /^(enable|disable) /.exec(args)?.[1];
  if (verb === undefined) return ["list", "enable ", "disable "];
  const on = verb === "disable";
  const sets = app.tools.toolsets().filter(({ enabled }) => enabled === on);
  const single = (await app.tools.list({ surface, prompter: true })).filter(({ enabled }) => enabled === on);
  return [
    ...sets.map(({ name, description }) => ({ value: `${verb} ${name}`, about: `toolset · ${description}` })),
    ...single.map(({ declaration }) => ({ value: `${verb} ${declaration.name}`, about: declaration.summary })),
  ];
}

export async function skins({ skins: all }: SlashHost): Promise<readonly Completion[]> {
  return ((await all?.read()) ?? []).map(({ name, description, problem }) => ({
    value: name,
    about: problem ?? description,
  }));
}

/** The rules that can be revoked. */
export async function approvals(args: string, { app }: SlashHost): Promise<readonly Completion[]> {
  if (!args.startsWith("revoke ")) return ["explain ", "revoke "];
  return (await app.approvals.rules()).map(({ list, rule }) => ({ value: `revoke ${rule}`, about: list }));
}

/** Skills as commands: `/deploy`. */
export async function skillCommands({ app }: SlashHost): Promise<readonly { name: string; description: string }[]> {
  return (await app.skills.all())
    .filter(({ hidden }) => hidden === undefined)
    .map(({ name, description }) => ({ name: slugOf(name), description }));
}
