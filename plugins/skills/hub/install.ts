import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeVisible, UserError, withoutLogin, type SkillShelf } from "hermes-agent/plugin";
import type { Service, Options } from "../command/command-services.ts";
import { keepVersion } from "../history.ts";
import { fetchOne } from "./choose.ts";
import { digestOf, note, readHub, readLock, sourceNamed, writeHub, type LockEntry } from "./hub-state.ts";
import { allowed, judgeFetched } from "./scan-fetched.ts";
import { putInPlace } from "./move-into-place.ts";
import type { Fetched, SourceId } from "./sources/skill-source.ts";
import { openStage } from "./stage.ts";

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** Of repositories whose skills count for more than anybody's. */
const TRUSTED = /^(?:https:\/\/github\.com\/|git@github\.com:)(?:openai|anthropics)\/skills(?:\.git)?$/;

/** Fetches, scans, asks, and puts exactly the scanned bytes into the home's folder. */
export async function install([given = ""]: readonly string[], options: Options, service: Service): Promise<void> {
  const from = sourceNamed(given);
  const { shelf } = service;
  await shelf.seed();
  await using stage = openStage(shelf);
  const { skill: chosen, fetched, source } = await fetchOne(from, stage.folder, service);
  const name = typeof options["name"] === "string" ? options["name"] : chosen.name;
  const category = typeof options["category"] === "string" ? options["category"] : "";
  if (!NAME.test(name) || (category !== "" && !NAME.test(category)))
    throw new UserError(`A skill cannot be installed as "${category === "" ? "" : `${category}/`}${name}".`, {
      hint: "--name and --category may contain lower-case letters, digits, dots, _ and -.",
      exitCode: 2,
    });
  const before = readLock(shelf.folder)[name];
  await refuseTaken(name, before, options, shelf);

  const trust = TRUSTED.test(fetched.url) ? "trusted" : "community";
  const verdict = await judgeFetched(chosen.folder, service, fetched.objections);
  const forced = !allowed(trust, verdict);
  const findings = [...verdict.reasons, ...verdict.minor];
  if (forced && options["force"] !== true) {
    note(
      shelf.folder,
      "BLOCKED",
      name,
      `${recordedAs(source, fetched)}:${trust} ${verdict.verdict} ${findings.length}_findings`,
    );
    throw new UserError(
      `"${name}" is not installed: ${trust} source, ${verdict.verdict}, ${findings.length} finding${findings.length === 1 ? "" : "s"}.\n${findings.map((line) => `  ${line}`).join("\n")}`,
      { hint: "Check the findings first. To install it anyway: --force" },
    );
  }
  service.say(
    [
      `${name}: ${chosen.description}`,
      `from ${fetched.url}${fetched.commit === undefined ? "" : ` at ${fetched.commit.slice(0, 12)}`} (${trust}), scan: ${verdict.verdict}`,
      ...findings.map((line) => `  ${line}`),
    ].join("\n"),
  );
  if (options["yes"] !== true && !(await agreed(name, service))) return service.say("Nothing was installed.");

  const path = before?.install_path ?? (category === "" ? name : `${category}/${name}`);
  const digest = digestOf(chosen.folder);
  const now = new Date().toISOString();
  const entry: LockEntry = {
    source: recordedAs(source, fetched),
    identifier: withoutLogin(from),
    trust_level: trust,
    scan_verdict: verdict.verdict,
    content_hash: digest.short,
    install_path: path,
    files: digest.files,
    metadata: {
      url: fetched.url,
      commit: fetched.commit,
      digest: digest.full,
      forced,
    },
    installed_at: before?.installed_at ?? now,
    updated_at: now,
  };
  putInPlace(shelf.folder, name, entry, chosen.folder);
  note(
    shelf.folder,
    "INSTALL",
    name,
    `${entry.source}:${trust} ${verdict.verdict}${forced ? " forced" : ""} ${digest.short}`,
  );
  service.say(`Installed as ${path}. New sessions can use it.`);
}

/** A skill as it would be installed. */
export async function preview(given: string, service: Service): Promise<void> {
  const { shelf, say } = service;
  await using stage = openStage(shelf);
  const {
    skill: { name, description, folder },
    fetched,
  } = await fetchOne(sourceNamed(given), stage.folder, service);
  const { verdict, reasons, minor } = await judgeFetched(folder, service, fetched.objections);
  const files = digestOf(folder).files.filter((file) => file !== "SKILL.md");
  const message: readonly (readonly [string, string])[] = [
    ["name", name],
    ["description", description],
    [
      "source",
      `${fetched.url}${fetched.commit === undefined ? "" : ` at ${fetched.commit.slice(0, 12)}`} (${TRUSTED.test(fetched.url) ? "trusted" : "community"})`,
    ],
    ...(files.length === 0 ? [] : [["files", files.join(", ")] as const]),
    ["scan", verdict],
  ];
  say(
    [
      ...message.map(([key, value]) => `${key.padEnd(12)} ${makeVisible(value)}`),
      ...[...reasons, ...minor].map((line) => `  ${line}`),
      "Nothing was installed.",
    ].join("\n"),
  );
}

/** Takes an installed skill and its record away; the skill stays among the earlier versions. */
export async function uninstall(
  [name = ""]: readonly string[],
  _options: Options,
  { shelf, say }: Service,
): Promise<void> {
  const { installed, pending } = readHub(shelf.folder);
  const { [name]: entry, ...others } = installed;
  if (entry === undefined)
    throw new UserError(`"${name}" was not installed by hermes skills install.`, {
      hint: "`hermes skills list --source hub` shows the installed ones.",
      exitCode: 2,
    });
  if (existsSync(join(shelf.folder, entry.install_path)))
    keepVersion(shelf.folder, entry.install_path, "uninstall", true);
  const category = dirname(join(shelf.folder, entry.install_path));
  if (category !== shelf.folder && existsSync(category) && readdirSync(category).length === 0)
    rmSync(category, { recursive: true });
  writeHub(shelf.folder, { installed: others, pending });
  note(shelf.folder, "UNINSTALL", name, `${entry.source}:${entry.trust_level} n/a user_request`);
  say(`Uninstalled ${name}. \`hermes skills restore ${name}\` restores its files.`);
}

async function refuseTaken(
  name: string,
  before: LockEntry | undefined,
  { force }: Options,
  shelf: SkillShelf,
): Promise<void> {
  const there = (await shelf.all()).find((skill) => skill.source === "home" && basename(skill.path) === name);
  if (there === undefined) return;
  if (before === undefined || there.path !== before.install_path)
    throw new UserError(`The skill "${name}" already exists: ${there.folder}.`, {
      hint: "Use another name: --name NAME",
    });
  if (force !== true)
    throw new UserError(`"${name}" is already installed, from ${before.identifier}.`, {
      hint: "To reinstall it: --force. The current version stays in `hermes skills history`.",
    });
}

async function agreed(name: string, { confirm, needsYes }: Service): Promise<boolean> {
  if (needsYes)
    throw new UserError(`"${name}" was not installed: no one could be asked for confirmation.`, {
      hint: "Confirm with --yes.",
    });
  return confirm === undefined ? true : confirm(`Install "${name}"? The agent will follow its instructions.`);
}

/** A repository is one by whatever way it was read. */
function recordedAs(source: SourceId, { commit }: Fetched): LockEntry["source"] {
  return source === "github" ? (commit === undefined ? "folder" : "git") : source;
}
