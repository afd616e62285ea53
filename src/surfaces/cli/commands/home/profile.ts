import type { App } from "../../../../contract/services/app.ts";
import type { ProfileInfo } from "../../../../contract/services/profile-service.ts";
import { UserError } from "../../../../contract/common/failure.ts";
import { openLineAsker } from "../../input/ask-lines.ts";
import { printable } from "../../../shared/display/printable.ts";
import { tableOn } from "../../../shared/display/table.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import { onTerminal } from "../../../shared/process/io.ts";
import type { Call } from "../../program/call.ts";
import { leftOutText, megabytes } from "./backup.ts";

/** `hermes profile`: separate homes. */
interface Json {
  readonly json?: boolean;
}

async function profilesOf(open: Call["open"]) {
  // A profile whose settings are broken must not prevent the choice of another.
  return (await open("for-repair")).profiles();
}

export async function listProfiles({ io, open }: Call, { json }: Json): Promise<void> {
  const all = await (await profilesOf(open)).list();
  if (json) return io.out(`${JSON.stringify(all, null, 2)}\n`);
  const rows = all.map(({ name, current, sticky, model, gateway, aliases, description }) => [
    `${current ? "*" : " "} ${name}`,
    sticky ? "yes" : "",
    model ?? "—",
    gateway ? "running" : "stopped",
    aliases.join(", ") || "—",
    printable(description ?? ""),
  ]);
  io.out(tableOn(io, ["  PROFILE", "DEFAULT", "MODEL", "GATEWAY", "ALIAS", "DESCRIPTION"], rows));
  io.out(io.styleOut("dim", asTyped("\n* in use by this command. `hermes profile use NAME` changes the default.\n")));
}

export async function showProfile({ io, open }: Call, name: string | undefined, { json }: Json): Promise<void> {
  const app = await open("for-repair");
  const info = await (await app.profiles()).show(name ?? currentName(app));
  io.out(json ? `${JSON.stringify(info, null, 2)}\n` : profileText(info));
}

function currentName(app: App): string {
  if (app.profile !== "custom") return app.profile;
  return "default";
}

function profileText(info: ProfileInfo): string {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Profile", `${info.name}${info.current ? " (in use)" : ""}${info.sticky ? " (the default)" : ""}`],
    ["Home", info.home],
    ["Description", info.description],
    ["Model", info.model ?? "none in its settings"],
    ["Gateway", info.gateway ? "running" : "stopped"],
    ["Skills", String(info.skills)],
    ["Keys (.env)", info.hasEnv ? "yes" : "no"],
    ["SOUL.md", info.hasSoul ? "yes" : "no"],
    ["Alias", info.aliases.join(", ") || undefined],
  ];
  return printable(
    rows.flatMap(([head, text]) => (text === undefined ? [] : [`${head.padEnd(13)} ${text}\n`])).join(""),
  );
}

export async function createProfile(
  { io, open }: Call,
  name: string,
  options: Json & {
    readonly clone?: boolean;
    readonly cloneAll?: boolean;
    readonly cloneFrom?: string;
    /** `false`: `--no-alias`. */
    readonly alias?: boolean;
    readonly skills?: boolean;
    readonly description?: string;
  },
): Promise<void> {
  const profiles = await profilesOf(open);
  const info = await profiles.create(name, {
    from: options.cloneFrom,
    copy: options.cloneAll ? "all" : options.clone || options.cloneFrom !== undefined ? "settings" : undefined,
    noSkills: options.skills === false,
    description: options.description,
  });
  // The profile is there; an alias that cannot be made is no reason to take it back.
  const alias = options.alias === false ? undefined : await profiles.alias(name).catch(asProblem);
  if (options.json) {
    const made = await profiles.show(name);
    return io.out(`${JSON.stringify(made, null, 2)}\n`);
  }
  io.out(`Created the profile "${name}" in ${info.home}.\n`);
  if (alias instanceof UserError)
    io.note(asTyped(`${io.style("yellow", "No alias:")} ${alias.message} ${alias.hint ?? ""}\n`));
  else if (alias !== undefined) {
    io.out(`Created the command ${alias.file}.\n`);
    if (!alias.onPath || !alias.hermesOnPath)
      io.note(
        `${alias.onPath ? "" : "Its folder is not on PATH. "}${alias.hermesOnPath ? "" : "It needs `hermes` on PATH. "}`.trim() +
          "\n",
      );
  }
  io.note(asTyped(`Set it up with: hermes -p ${name} setup\nUse it with: hermes -p ${name}\n`));
}

function asProblem(error: unknown): UserError {
  if (error instanceof UserError) return error;
  throw error;
}

export async function useProfile({ io, open }: Call, name: string, { json }: Json): Promise<void> {
  const app = await open("for-repair");
  const info = await (await app.profiles()).use(name);
  if (json) return io.out(`${JSON.stringify(info, null, 2)}\n`);
  io.out(`Commands without -p now use the profile "${name}" (${info.home}).\n`);
  if ((process.env["HERMES_HOME"] ?? "").trim() !== "")
    io.note("HERMES_HOME is set in this shell and selects the home instead. Unset it, or use -p.\n");
}

export async function describeProfile(
  { io, open }: Call,
  name: string,
  { text }: { readonly text?: string },
): Promise<void> {
  const profiles = await profilesOf(open);
  if (text === undefined) {
    const { description } = await profiles.show(name);
    if (description === undefined) return io.note(asTyped(`"${name}" has no description. Set one with --text.\n`));
    return io.out(`${printable(description)}\n`);
  }
  await profiles.describe(name, text);
  io.out(`Saved the description of "${name}".\n`);
}

export async function renameProfile({ io, open }: Call, name: string, to: string, { json }: Json): Promise<void> {
  const info = await (await profilesOf(open)).rename(name, to);
  io.out(json ? `${JSON.stringify(info, null, 2)}\n` : `The profile "${name}" is now "${to}" (${info.home}).\n`);
}

export async function deleteProfile(
  { io, open }: Call,
  name: string,
  { yes, json }: Json & { readonly yes?: boolean },
): Promise<number> {
  const profiles = await profilesOf(open);
  const { home } = await profiles.show(name);
  if (yes !== true && !(await typedName(io, name, home))) return EXIT.failed;
  const info = await profiles.remove(name);
  io.out(json ? `${JSON.stringify(info, null, 2)}\n` : `Deleted the profile "${name}" and its home ${home}.\n`);
  return EXIT.ok;
}

/** Deleting takes sessions, keys and memories: the user types the name. */
async function typedName(io: Call["io"], name: string, home: string): Promise<boolean> {
  if (!io.interactive)
    throw new UserError("Cannot ask for confirmation: there is no terminal.", {
      hint: "Repeat the command with --yes.",
    });
  using asker = await openLineAsker();
  const typed = await asker.ask(
    `This deletes ${home} with its sessions, keys and memories permanently.\nType "${name}" to confirm: `,
  );
  if (typed === name) return true;
  onTerminal(io).note(`${asker.ended ? "\n" : ""}Nothing was deleted.\n`);
  return false;
}

export async function aliasProfile(
  { io, open }: Call,
  name: string,
  options: { readonly name?: string; readonly remove?: boolean },
): Promise<number> {
  const profiles = await profilesOf(open);
  if (options.remove === true) {
    const gone = await profiles.removeAlias(name, options.name);
    if (gone.length === 0)
      throw new UserError(`"${name}" has no such alias.`, {
        hint: asTyped(`\`hermes profile show ${name}\` lists them.`),
      });
    io.out(gone.map((file) => `Deleted ${file}.\n`).join(""));
    return EXIT.ok;
  }
  const { file, onPath, hermesOnPath } = await profiles.alias(name, options.name);
  io.out(`Created ${file}.\n`);
  if (!onPath) io.note("Its folder is not on PATH.\n");
  if (!hermesOnPath) io.note("It needs `hermes` on PATH.\n");
  return EXIT.ok;
}

export async function exportProfile(
  { io, open }: Call,
  name: string,
  { output, json }: Json & { readonly output?: string },
): Promise<void> {
  const report = await (await profilesOf(open)).export(name, output ?? `${name}.zip`);
  if (json) return io.out(`${JSON.stringify(report, null, 2)}\n`);
  io.out(`Exported "${name}" to ${report.file}: ${report.files} files, ${megabytes(report.bytes)}, without keys.\n`);
  io.note(leftOutText(report.leftOut));
  io.note(asTyped(`Import it elsewhere with: hermes profile import ${report.file}\n`));
}

export async function importProfile(
  { io, open }: Call,
  file: string,
  { name, json }: Json & { readonly name?: string },
): Promise<void> {
  const info = await (await profilesOf(open)).import(file, name);
  if (json) return io.out(`${JSON.stringify(info, null, 2)}\n`);
  io.out(`Imported the profile "${info.name}" into ${info.home}.\n`);
  if (!info.hasEnv) io.note(asTyped(`It has no keys. \`hermes -p ${info.name} setup\` asks for them.\n`));
}
