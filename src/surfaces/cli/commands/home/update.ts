import { join } from "node:path";
import type { App } from "../../../../contract/services/app.ts";
import type { UpdateCheck, UpdateResult } from "../../../../contract/services/update-service.ts";
import { UserError } from "../../../../contract/common/failure.ts";
import { openLineAsker } from "../../input/ask-lines.ts";
import { printable } from "../../../shared/display/printable.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import type { Call } from "../../program/call.ts";

export interface UpdateOptions {
  readonly check?: boolean;
  readonly rollback?: boolean;
  readonly branch?: string;
  readonly from?: string;
  /** `true`: --backup. `false`: --no-backup. */
  readonly backup?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/**
 * `hermes update`: shows what is new, asks, saves the home and installs it. `--check` exits with 1 if there is something
 * newer, as in the original.
 */
export async function update(call: Call, options: UpdateOptions): Promise<number> {
  const { io, open } = call;
  if (
    options.rollback === true &&
    (options.check === true || options.from !== undefined || options.branch !== undefined)
  )
    throw new UserError("--rollback takes no other version.", { exitCode: EXIT.usage });
  const app = await open("for-repair");
  const updates = await app.updates();
  const wanted = { branch: options.branch, from: options.from, signal: io.signal };
  if (options.rollback !== true) {
    const found = await updates.check(wanted);
    if (options.check === true) {
      io.out(options.json ? `${JSON.stringify(found, null, 2)}\n` : checkText(found));
      return found.newer ? EXIT.failed : EXIT.ok;
    }
    if (found.obstacle !== undefined)
      throw new UserError(`${found.obstacle} Nothing was changed.`, { hint: found.hint });
    if (options.json !== true) io.out(checkText(found));
    else if (!found.newer) io.out(`${JSON.stringify(found, null, 2)}\n`);
    if (!found.newer) return EXIT.ok;
  }
  await refuseWhileServing(app);
  const verb = options.rollback === true ? "Return to the version before the last update" : "Install it";
  if (!(await agreed(call, options.yes, `${verb}?`))) return EXIT.failed;
  if (options.backup !== false) await save(call, app, options.backup === true);
  const result = options.rollback === true ? await updates.rollback() : await updates.apply(wanted);
  io.out(options.json ? `${JSON.stringify(result, null, 2)}\n` : resultText(result));
  return EXIT.ok;
}

function checkText(found: UpdateCheck): string {
  const { kind, root, current, latest, newer, changes, count, obstacle, hint } = found;
  const what =
    kind === "clone" ? `The clone in ${root} is at ${current}` : `Version ${current} is installed in ${root}`;
  if (!newer) return `${what}, which is the latest.\n`;
  const more = count > changes.length ? `  … and ${count - changes.length} more\n` : "";
  return [
    kind === "clone"
      ? `${what}; ${count} new ${count === 1 ? "commit leads" : "commits lead"} to ${latest}:\n`
      : `${what}; version ${latest} is available.\n`,
    ...changes.map((line) => `  ${printable(line)}\n`),
    more,
    obstacle === undefined ? "" : `It cannot be installed now: ${obstacle} ${hint ?? ""}\n`,
  ].join("");
}

function resultText({ kind, from, to, unchanged, version }: UpdateResult): string {
  if (unchanged) return `${version} is the latest.\n`;
  return asTyped(
    `${kind === "clone" ? "Moved the clone" : "Changed the package"} from ${from} to ${to}: ${version}\n\`hermes update --rollback\` returns to ${from}. \`hermes doctor\` checks the installation.\n`,
  );
}

/** A running gateway loads parts of the program late: they would be those of another version. */
async function refuseWhileServing(app: App): Promise<void> {
  if (!(await (await app.gateway()).running())) return;
  throw new UserError("A gateway is running, which would load parts of the new version. Nothing was changed.", {
    hint: asTyped("Stop it first: hermes gateway stop. Start it again after the update."),
  });
}

async function agreed({ io }: Call, yes: boolean | undefined, question: string): Promise<boolean> {
  if (yes === true) return true;
  if (!io.interactive)
    throw new UserError("Cannot ask for confirmation: there is no terminal.", {
      hint: "Repeat the command with --yes.",
    });
  using asker = await openLineAsker();
  if (/^y(es)?$/i.test(await asker.ask(`${question} [y/N] `))) return true;
  io.note("Nothing was changed.\n");
  return false;
}

/** Newer versions may write formats that this one cannot read. */
async function save({ io }: Call, app: App, whole: boolean): Promise<void> {
  if (!whole) {
    const { id } = await app.snapshots.create("before update");
    return io.note(`Saved settings, keys and conversations in the snapshot ${id}.\n`);
  }
  const { mkdir } = await import("node:fs/promises");
  const folder = join(app.home, "backups");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "").replace("T", "-");
  const { file } = await (
    await app.backups()
  ).create({
    file: join(folder, `before-update-${stamp}.zip`),
    withSecrets: true,
  });
  io.note(`Saved the home in ${file}.\n`);
}
