import type { MigrationItem, MigrationPlan, MigrationSource } from "../../../../contract/services/migration-service.ts";
import { UserError } from "../../../../contract/common/failure.ts";
import { openLineAsker, type LineAsker } from "../../input/ask-lines.ts";
import { printable } from "../../../shared/display/printable.ts";
import { tableOn } from "../../../shared/display/table.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import { onTerminal } from "../../../shared/process/io.ts";
import type { Call } from "../../program/call.ts";

export interface MigrateOptions {
  readonly source?: string;
  readonly dryRun?: boolean;
  readonly overwrite?: boolean;
  readonly withSecrets?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const STATES: { readonly [State in MigrationItem["state"]]: string } = {
  new: "import",
  same: "is here",
  differs: "differs",
  unsafe: "left out",
};

/** `hermes import openclaw|claude-code|codex` and `hermes claw migrate`: shows what it found, asks, and imports it. */
export async function migrate(call: Call, source: MigrationSource, options: MigrateOptions): Promise<number> {
  const { io, open } = call;
  const app = await open();
  const migrations = await app.migrations();
  const plan = await migrations.plan(source, { folder: options.source });
  const wanted = plan.items.filter(
    ({ state }) => state === "new" || (state === "differs" && options.overwrite === true),
  );
  if (options.json !== true) io.out(planText(call, plan));
  if (options.dryRun === true) {
    if (options.json) io.out(`${JSON.stringify(shown(plan), null, 2)}\n`);
    else io.note("Nothing was changed.\n");
    return EXIT.ok;
  }
  const keys = plan.secrets.length > 0;
  if (wanted.length === 0 && !(keys && options.withSecrets === true)) {
    io.note("There is nothing to import.\n");
    return EXIT.ok;
  }
  if (options.yes !== true && !io.interactive)
    throw new UserError("Cannot ask for confirmation: there is no terminal.", {
      hint: "Repeat the command with --yes, and with --with-secrets to import the keys too.",
    });
  using asker = options.yes === true ? undefined : await openLineAsker();
  if (asker !== undefined && !(await agreed(asker, `Import ${wanted.length} of them?`))) {
    onTerminal(io).note("Nothing was imported.\n");
    return EXIT.failed;
  }
  const withSecrets =
    options.withSecrets === true ||
    (keys &&
      asker !== undefined &&
      (await agreed(asker, `Import the keys too (${plan.secrets.map(({ name }) => name).join(", ")})?`)));
  const done = await migrations.apply(plan, { overwrite: options.overwrite, withSecrets });
  if (options.json) io.out(`${JSON.stringify({ ...shown(plan), imported: done.map(({ to }) => to) }, null, 2)}\n`);
  else
    io.out(
      `Imported ${done.length} ${done.length === 1 ? "item" : "items"}${withSecrets && keys ? ` and ${plan.secrets.length} keys` : ""}.\n`,
    );
  if (keys && !withSecrets)
    io.note(
      asTyped(
        `The keys were not imported: ${plan.secrets.map(({ name }) => name).join(", ")}. Set one with: hermes config set NAME VALUE\n`,
      ),
    );
  return EXIT.ok;
}

function planText({ io }: Call, { folder, items, secrets }: MigrationPlan): string {
  if (items.length === 0 && secrets.length === 0) return `Found nothing to import in ${folder}.\n`;
  const rows = items.map(({ kind, name, state, why, to }) => [
    STATES[state],
    kind,
    printable(name),
    printable(why === undefined ? to : `${to} (${why})`),
  ]);
  return [
    `Found in ${folder}:\n`,
    tableOn(io, ["STATE", "KIND", "NAME", "TO"], rows),
    items.some(({ state }) => state === "differs")
      ? "--overwrite replaces what differs; the present files move to backups.\n"
      : "",
    secrets.length === 0 ? "" : `Keys: ${secrets.map(({ name }) => name).join(", ")}\n`,
  ].join("");
}

/** Without texts and keys. */
function shown({ source, folder, items, secrets }: MigrationPlan) {
  return {
    source,
    folder,
    items: items.map(({ kind, name, state, why, to }) => ({ kind, name, state, why, to })),
    secrets: secrets.map(({ name }) => name),
  };
}

async function agreed(asker: LineAsker, question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await asker.ask(`${question} [y/N] `));
}
