import { cpSync, readFileSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { UserError, withoutLogin, readableText } from "hermes-agent/plugin";
import type { Service, Options } from "../command/command-services.ts";
import { named } from "../command/look.ts";
import { originsOf } from "../command/origin.ts";
import { digestOf, note, sourceNamed } from "./hub-state.ts";
import { allowed, judgeFetched } from "./scan-fetched.ts";
import { openStage } from "./stage.ts";

/** Pushes one of the user's skills to a Git repository that they can write. Refuses skills with any finding. */
export async function publish(
  [name = ""]: readonly string[],
  { repo, branch, yes }: Options,
  service: Service,
): Promise<void> {
  const { shelf, say } = service;
  if (typeof repo !== "string" || repo === "")
    throw new UserError("skills publish needs the target: --repo REPO.", {
      hint: "owner/repo, a Git URL or a folder.",
      exitCode: 2,
    });
  const skill = await named(name, shelf);
  const { source } = originsOf(shelf)(skill);
  if (source !== "local")
    throw new UserError(`You did not create "${name}": its source is ${source}.`, {
      hint: "You can publish only skills you created. Copy this one under a new name first.",
      exitCode: 2,
    });
  // Publishes the copy that was scanned and shown, even if the skill changes meanwhile.
  await using stage = openStage(shelf);
  const copy = join(stage.folder, "skill");
  cpSync(realpathSync(skill.folder), copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => basename(path) !== ".git",
  });
  const verdict = await judgeFetched(copy, service);
  const findings = [...verdict.reasons, ...verdict.minor, ...secretsIn(copy, service)];
  if (!allowed("community", verdict) || findings.length > 0) {
    throw new UserError(
      `"${name}" was not published: its scan has ${findings.length} finding${findings.length === 1 ? "" : "s"}.\n${findings.map((line) => `  ${line}`).join("\n")}`,
      { hint: "Fix the skill first; hermes skills audit scans it again." },
    );
  }
  const address = sourceNamed(repo);
  const to = withoutLogin(address);
  const where = typeof branch === "string" ? branch : `skill/${basename(skill.path)}`;
  say(
    [
      `${name}: ${digestOf(copy).files.join(", ")}`,
      `to ${to}, branch ${where}, folder skills/${basename(skill.path)}`,
    ].join("\n"),
  );
  if (yes !== true && !(await agreed(name, to, service))) return say("Nothing was published.");

  const sent = await shelf.publish(
    copy,
    {
      repo: address,
      path: `skills/${basename(skill.path)}`,
      branch: where,
      message: `${name}: ${skill.description.split("\n", 1)[0]!.slice(0, 100)}`,
    },
    stage.folder,
    service.signal,
  );
  if (sent.commit === undefined) return say(`${sent.url} already has this version.`);
  note(shelf.folder, "PUBLISH", name, `${sent.url} ${sent.branch} ${sent.commit.slice(0, 12)}`);
  const page = /^https:\/\/github\.com\/([^/]+\/[^/]+?)(?:\.git)?$/.exec(sent.url)?.[1];
  say(
    `Published as ${sent.commit.slice(0, 12)} to ${sent.url}, branch ${sent.branch}.${page === undefined ? "" : `\nOpen a pull request at https://github.com/${page}/compare/${sent.branch}?expand=1`}`,
  );
}

/** Files that hold a secret which is kept here, or what looks like one. Which it is stays here. */
function secretsIn(folder: string, { redact }: Service): readonly string[] {
  return digestOf(folder).files.flatMap((file) => {
    const text = readableText(readFileSync(join(folder, file)));
    return redact(text) === text ? [] : [`${file}: it contains a secret`];
  });
}

async function agreed(name: string, to: string, { confirm, needsYes }: Service): Promise<boolean> {
  if (needsYes)
    throw new UserError(`"${name}" was not published: no one could be asked for confirmation.`, {
      hint: "Confirm with --yes.",
    });
  return confirm === undefined ? true : confirm(`Publish "${name}"? Everyone who can read ${to} can then read it.`);
}
