import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeVisible, UserError, withoutLogin, type FetchedSource, type SkillShelf, type SkillVerdict } from "hermes-agent/plugin";
import type { Desk, Options } from "../command/desk.ts";
import { keepVersion } from "../history.ts";
import { digestOf, note, readHub, readLock, readTaps, sourceNamed, writeHub, type LockEntry } from "./hub-state.ts";
import { putInPlace } from "./put-in-place.ts";

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** Of repositories whose skills count for more than anybody's. */
const TRUSTED = /^(?:https:\/\/github\.com\/|git@github\.com:)(?:openai|anthropics)\/skills(?:\.git)?$/;

/** A skill of a source that was fetched. */
export interface Offered {
  readonly name: string;
  readonly folder: string;
  readonly description: string;
}

/** Fetches, scans, asks, and puts exactly the scanned bytes into the home's folder. */
export async function install([given = ""]: readonly string[], options: Options, desk: Desk): Promise<void> {
  const from = sourceNamed(given);
  const { shelf } = desk;
  await shelf.seed();
  await using stage = openStage(shelf);
  const fetched = await shelf.fetch(repositoryOf(from, shelf), stage.folder, desk.signal);
  const chosen = await choose(fetched, from, shelf);
  const name = typeof options["name"] === "string" ? options["name"] : chosen.name;
  const category = typeof options["category"] === "string" ? options["category"] : "";
  if (!NAME.test(name) || (category !== "" && !NAME.test(category))) throw new UserError(`A skill cannot be installed as "${category === "" ? "" : `${category}/`}${name}".`, { hint: "--name and --category take lower-case letters, digits, dots, _ and -.", exitCode: 2 });
  const before = readLock(shelf.folder)[name];
  await refuseTaken(name, before, options, shelf);

  const trust = TRUSTED.test(fetched.url) ? "trusted" : "community";
  const verdict = await scanned(chosen.folder, shelf);
  const forced = !allowed(trust, verdict);
  const findings = [...verdict.reasons, ...verdict.minor];
  if (forced && options["force"] !== true) {
    note(shelf.folder, "BLOCKED", name, `${sourceOf(fetched)}:${trust} ${verdict.verdict} ${findings.length}_findings`);
    throw new UserError(`"${name}" is not installed: ${trust} source, ${verdict.verdict}, ${findings.length} finding${findings.length === 1 ? "" : "s"}.\n${findings.map((line) => `  ${line}`).join("\n")}`, { hint: "Look at them first. If you want it all the same: --force" });
  }
  desk.say([`${name}: ${chosen.description}`, `from ${fetched.url}${fetched.commit === undefined ? "" : ` at ${fetched.commit.slice(0, 12)}`} (${trust}), scan: ${verdict.verdict}`, ...findings.map((line) => `  ${line}`)].join("\n"));
  if (options["yes"] !== true && !(await agreed(name, desk))) return desk.say("Nothing was installed.");

  const path = before?.install_path ?? (category === "" ? name : `${category}/${name}`);
  const digest = digestOf(chosen.folder);
  const now = new Date().toISOString();
  const entry: LockEntry = {
    source: sourceOf(fetched),
    identifier: withoutLogin(from),
    trust_level: trust,
    scan_verdict: verdict.verdict,
    content_hash: digest.short,
    install_path: path,
    files: digest.files,
    metadata: { url: fetched.url, ...(fetched.commit === undefined ? {} : { commit: fetched.commit }), digest: digest.full, forced },
    installed_at: before?.installed_at ?? now,
    updated_at: now,
  };
  putInPlace(shelf.folder, name, entry, chosen.folder);
  note(shelf.folder, "INSTALL", name, `${entry.source}:${trust} ${verdict.verdict}${forced ? " forced" : ""} ${digest.short}`);
  desk.say(`Installed as ${path}. New sessions know it.`);
}

/** A skill as it would be installed. */
export async function preview(given: string, { shelf, say, signal }: Desk): Promise<void> {
  const from = sourceNamed(given);
  await using stage = openStage(shelf);
  const fetched = await shelf.fetch(repositoryOf(from, shelf), stage.folder, signal);
  const { name, description, folder } = await choose(fetched, from, shelf);
  const { verdict, reasons, minor } = await shelf.judge(folder);
  const files = digestOf(folder).files.filter((file) => file !== "SKILL.md");
  const told: readonly (readonly [string, string])[] = [["name", name], ["description", description], ["source", `${fetched.url}${fetched.commit === undefined ? "" : ` at ${fetched.commit.slice(0, 12)}`} (${TRUSTED.test(fetched.url) ? "trusted" : "community"})`], ...(files.length === 0 ? [] : [["files", files.join(", ")] as const]), ["scan", verdict]];
  say([...told.map(([key, value]) => `${key.padEnd(12)} ${makeVisible(value)}`), ...[...reasons, ...minor].map((line) => `  ${line}`), "Nothing was installed."].join("\n"));
}

/** Takes an installed skill and its record away; the skill stays among the earlier versions. */
export async function uninstall([name = ""]: readonly string[], _options: Options, { shelf, say }: Desk): Promise<void> {
  const { installed, pending } = readHub(shelf.folder);
  const { [name]: entry, ...others } = installed;
  if (entry === undefined) throw new UserError(`"${name}" was not installed by hermes skills install.`, { hint: "`hermes skills list --source hub` shows what was.", exitCode: 2 });
  if (existsSync(join(shelf.folder, entry.install_path))) keepVersion(shelf.folder, entry.install_path, "uninstall", true);
  const category = dirname(join(shelf.folder, entry.install_path));
  if (category !== shelf.folder && existsSync(category) && readdirSync(category).length === 0) rmSync(category, { recursive: true });
  writeHub(shelf.folder, { installed: others, pending });
  note(shelf.folder, "UNINSTALL", name, `${entry.source}:${entry.trust_level} n/a user_request`);
  say(`${name} is uninstalled. \`hermes skills restore ${name}\` brings its files back.`);
}

/** No fetch takes so long: whoever began it was killed. */
const LEFT_MS = 86_400_000;

/** An empty folder for what is not trusted yet; it goes with everything in it. */
export function openStage({ folder }: SkillShelf): AsyncDisposable & { readonly folder: string } {
  const quarantine = join(folder, ".hub/quarantine");
  mkdirSync(quarantine, { recursive: true, mode: 0o700 });
  for (const left of readdirSync(quarantine)) if (Date.now() - (statSync(join(quarantine, left), { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > LEFT_MS) rmSync(join(quarantine, left), { recursive: true, force: true });
  const stage = mkdtempSync(`${quarantine}/`);
  return { folder: stage, [Symbol.asyncDispose]: async () => rmSync(stage, { recursive: true, force: true }) };
}

/** `repo/skill` of a tap is fetched by the tap's own address. */
function repositoryOf(from: string, { folder }: SkillShelf): string {
  return readTaps(folder).find(({ repo }) => from === repo || from.startsWith(`${repo}/`))?.repo ?? from;
}

/** Every skill of a source, by name. */
export async function offeredIn(root: string, shelf: SkillShelf): Promise<readonly Offered[]> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name === "SKILL.md");
  const found: Offered[] = [];
  for (const { parentPath: folder } of files) {
    if (folder.slice(root.length).split("/").some((name) => /^[._]/.test(name) && name !== ".curated" && name !== ".system")) continue;
    const { data } = await shelf.head(readFileSync(join(folder, "SKILL.md"), "utf8"));
    // A stranger's words, which a person reads on a terminal before anything has judged them.
    const text = (key: string): string => (typeof data[key] === "string" ? makeVisible(data[key].replaceAll(/\s+/g, " ").trim()) : "");
    found.push({ name: folder === root ? text("name") : makeVisible(basename(folder)), folder, description: text("description") });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The one that was meant. @throws {UserError} naming those there are. */
async function choose({ root, url, path }: FetchedSource, from: string, shelf: SkillShelf): Promise<Offered> {
  const offered = await offeredIn(root, shelf);
  const tap = readTaps(shelf.folder).find(({ repo }) => from.startsWith(`${repo}/`));
  const wanted = path ?? (tap === undefined ? undefined : from.slice(tap.repo.length + 1));
  const found = wanted === undefined ? offered : offered.filter(({ folder, name }) => name === wanted || folder.slice(root.length + 1) === wanted || folder.endsWith(`/${wanted}`));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const names = (found.length > 1 ? found : offered).map(({ folder, name }) => folder.slice(root.length + 1) || name);
  if (names.length === 0) throw new UserError(`There is no skill in ${url}.`, { hint: "A skill is a folder with a SKILL.md." });
  throw new UserError(wanted === undefined ? `${url} holds ${names.length} skills.` : found.length > 1 ? `Several skills of ${url} are meant by "${wanted}".` : `There is no skill "${wanted}" in ${url}.`, { hint: `Name one behind it: ${names.slice(0, 30).join(", ")}.`, exitCode: 2 });
}

async function refuseTaken(name: string, before: LockEntry | undefined, { force }: Options, shelf: SkillShelf): Promise<void> {
  const there = (await shelf.all()).find((skill) => skill.source === "home" && basename(skill.path) === name);
  if (there === undefined) return;
  if (before === undefined || there.path !== before.install_path) throw new UserError(`There is a skill "${name}" already: ${there.folder}.`, { hint: "Take another name: --name NAME" });
  if (force !== true) throw new UserError(`"${name}" is installed already, from ${before.identifier}.`, { hint: "To install it anew: --force. What is there now stays in `hermes skills history`." });
}

/** @throws {UserError} for a link: what it leads to would not be what was scanned. */
export async function scanned(folder: string, shelf: SkillShelf): Promise<SkillVerdict> {
  const link = readdirSync(folder, { recursive: true, withFileTypes: true }).find((entry) => lstatSync(join(entry.parentPath, entry.name)).isSymbolicLink());
  if (link !== undefined) throw new UserError(`The skill is left where it is: ${join(link.parentPath, link.name).slice(folder.length + 1)} is a link.`);
  return shelf.judge(folder);
}

/** Anything found in a skill of anybody stops it; in one of a trusted source, what is dangerous. */
export function allowed(trust: LockEntry["trust_level"], { verdict, reasons, minor }: SkillVerdict): boolean {
  return trust === "trusted" ? verdict !== "dangerous" : reasons.length + minor.length === 0;
}

async function agreed(name: string, { confirm, needsYes }: Desk): Promise<boolean> {
  if (needsYes) throw new UserError(`"${name}" was not installed: nobody could be asked.`, { hint: "If you agree, say it with --yes." });
  return confirm === undefined ? true : confirm(`Install "${name}"? Its text will be followed by the agent.`);
}

function sourceOf({ commit }: FetchedSource): LockEntry["source"] {
  return commit === undefined ? "folder" : "git";
}
