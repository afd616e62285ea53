import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { ConfigService } from "../../../contract/services/config-service.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { Call } from "../program/call.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import { tableOn } from "../../shared/display/table.ts";
import { asTyped } from "../../shared/process/called-as.ts";
import { cutTo } from "../../shared/display/width.ts";

export async function showConfig(
  { io, open }: Call,
  options: { readonly all?: boolean; readonly json?: boolean },
): Promise<void> {
  const { config } = await open("for-repair");
  reportUnsound(io, config);
  const keys = config
    .keys()
    .map((key) => ({ ...key, ...config.explain(key.path) }))
    .filter(({ source }) => options.all || (source !== "default" && source !== "unset"));
  if (options.json)
    return io.out(
      `${JSON.stringify(Object.fromEntries(keys.map(({ path }) => [path, config.shown(path)])), null, 2)}\n`,
    );
  if (keys.length === 0)
    return io.note(
      `All settings have their default values. \`${asTyped("hermes config show")} --all\` lists every key. File: ${config.file}\n`,
    );
  io.out(
    tableOn(
      io,
      ["KEY", "VALUE", "FROM"],
      keys.map(({ path, source, where }) => [path, short(JSON.stringify(config.shown(path) ?? null)), where ?? source]),
    ),
  );
}

/** Warns that the values in force differ from the file. */
function reportUnsound(io: Call["io"], config: ConfigService): void {
  if (config.check().problems.length > 0)
    io.note(
      asTyped(`${config.file} has mistakes. These values are in force; \`hermes config check\` lists the mistakes.\n`),
    );
}

/** Shortens a value to fit a table cell; `get` prints all of it. */
function short(value: string): string {
  return cutTo(value, VALUE_COLUMNS);
}

const VALUE_COLUMNS = 48;

export async function getConfig(
  { io, open }: Call,
  key: string,
  options: { readonly json?: boolean },
): Promise<number> {
  const { config } = await open("for-repair");
  reportUnsound(io, config);
  const { allowed, source, where } = config.explain(key);
  const value = config.shown(key);
  if (value === undefined && source === "environment") {
    io.out(`${key} is set in ${where}. Its value is not shown.\n`);
    return EXIT.ok;
  }
  if (value === undefined) {
    io.note(`${key} is not set${allowed === undefined ? "" : ` (allowed: ${allowed})`}.\n`);
    return EXIT.failed;
  }
  io.out(`${options.json || typeof value !== "string" ? JSON.stringify(value, null, options.json ? 2 : 0) : value}\n`);
  return EXIT.ok;
}

export async function setConfig({ io, open }: Call, key: string, value: string): Promise<void> {
  const { config } = await open("for-repair");
  await config.set(key, value);
  const shown = config.shown(key);
  const counts = [String(config.get(key)), JSON.stringify(config.get(key))].includes(value);
  if (shown !== undefined && !counts && config.check().problems.length > 0)
    return io.note(
      asTyped(
        `${key} is saved, but it takes effect only when the file has no mistakes. \`hermes config check\` lists them.\n`,
      ),
    );
  io.out(shown === undefined ? `${key} is set in .env.\n` : `${key} = ${JSON.stringify(shown)}\n`);
  if (config.explain(key).unused) io.note(`${key}${UNUSED}\n`);
}

const UNUSED = " is a setting of the original that this version does not use.";

export async function unsetConfig({ io, open }: Call, key: string): Promise<void> {
  const { config } = await open("for-repair");
  const removed = await config.unset(key);
  const now = config.shown(key);
  io.out(
    removed
      ? `${key} is ${now === undefined ? "no longer set" : `back to ${JSON.stringify(now)}`}.\n`
      : `${key} was not set.\n`,
  );
}

export async function explainConfig({ io, open }: Call, key: string): Promise<void> {
  const { config } = await open("for-repair");
  const { source, where, description, allowed } = config.explain(key);
  const value = config.shown(key);
  const lines = [
    value === undefined && source === "environment"
      ? `${key} is set; its value is not shown`
      : `${key} = ${JSON.stringify(value ?? null)}`,
    `from     ${where ?? source}`,
    ...(allowed === undefined ? [] : [`allowed  ${allowed}`]),
    ...(description === undefined ? [] : [description]),
  ];
  io.out(`${lines.join("\n")}\n`);
}

export async function configPath({ io, open }: Call): Promise<void> {
  io.out(`${(await open("for-repair")).config.file}\n`);
}

export async function envPath({ io, open }: Call): Promise<void> {
  io.out(`${(await open("for-repair")).config.envFile}\n`);
}

export async function checkConfig({ io, open }: Call, options: { readonly json?: boolean }): Promise<number> {
  const { config } = await open("for-repair");
  const { problems, unused } = config.check();
  const status = problems.length === 0 ? EXIT.ok : EXIT.config;
  if (options.json) return (io.out(`${JSON.stringify({ problems, unused }, null, 2)}\n`), status);
  for (const problem of problems) io.out(`${io.styleOut("red", "✗")} ${problemLine(problem)}\n`);
  for (const path of unused) io.out(`${io.styleOut("dim", "○")} ${path}${UNUSED}\n`);
  if (problems.length === 0) io.out(`${io.styleOut("green", "✓")} ${config.file} is valid.\n`);
  return status;
}

function problemLine({
  file,
  line,
  column,
  text,
  hint,
}: ReturnType<ConfigService["check"]>["problems"][number]): string {
  return `${file}${line === undefined ? "" : `:${line}:${column}`}: ${text}${hint === undefined ? "" : ` ${asTyped(hint)}`}`;
}

export async function editConfig({ io, open }: Call): Promise<number> {
  const { config } = await open("for-repair");
  const { editFile, textEditor } = await import("../input/text-editor.ts");
  const editor = io.interactive ? textEditor() : process.env.VISUAL || process.env.EDITOR;
  if (!editor) throw new UserError("No editor is set.", { hint: `Set EDITOR, or edit ${config.file} by hand.` });
  // Editors do not create the folder of a new file.
  mkdirSync(dirname(config.file), { recursive: true, mode: 0o700 });
  await editFile(editor, config.file);
  await config.refresh();
  const { problems } = config.check();
  for (const problem of problems) io.note(`${io.style("red", "✗")} ${problemLine(problem)}\n`);
  return problems.length === 0 ? EXIT.ok : EXIT.config;
}
