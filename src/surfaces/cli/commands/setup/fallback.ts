import type { App } from "../../../../contract/services/app.ts";
import { UserError } from "../../../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../../../contract/common/json.ts";
import type { Call } from "../../program/call.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import { printable } from "../../../shared/display/printable.ts";
import { Questions } from "../../input/questions.ts";
import { pickModel } from "./pick-model.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import { definedFields } from "../../../../contract/common/defined-fields.ts";

const PATH = "fallback_providers";

/** `hermes fallback`: the models that Hermes tries, in order, when the main model fails. */
export async function listFallbacks({ io, open }: Call, options: { readonly json?: boolean }): Promise<void> {
  const app = await open();
  const rows = rowsOf(app);
  if (options.json) return io.out(`${JSON.stringify(rows, null, 2)}\n`);
  if (rows.length === 0)
    return io.note(asTyped("No fallback models. Add one with: hermes fallback add provider/name\n"));
  const known = await app.models.fallbacks();
  rows.forEach((row, index) => {
    const lack = known.find(({ provider, model }) => row["provider"] === provider && row["model"] === model)?.lack;
    io.out(`${index + 1}. ${nameOf(row)}${lack === undefined ? "" : asTyped(`\n   ✗ not available: ${lack}`)}\n`);
  });
}

export async function addFallback({ io, open }: Call, name: string | undefined): Promise<void> {
  const app = await open();
  const row = name === undefined ? await askRow(app, io) : await rowNamed(app, name);
  if (row === undefined) return io.out("Nothing was changed.\n");
  const rows = rowsOf(app);
  if (rows.some((each) => nameOf(each) === nameOf(row)))
    throw new UserError(`${nameOf(row)} is already a fallback model.`, {
      hint: "`hermes fallback list` shows the fallback models.",
    });
  await save(app, [...rows, row]);
  io.out(`${nameOf(row)} is now fallback ${rows.length + 1}.\n`);
}

export async function removeFallback({ io, open }: Call, which: string | undefined): Promise<void> {
  const app = await open();
  const rows = rowsOf(app);
  const index =
    which === undefined
      ? await askWhich(rows, io)
      : /^\d+$/.test(which)
        ? Number(which) - 1
        : rows.findIndex((row) => nameOf(row) === which);
  const row = index === undefined ? undefined : rows[index];
  if (index === undefined) return io.out("Nothing was changed.\n");
  if (row === undefined)
    throw new UserError(`There is no fallback "${which}".`, {
      hint:
        rows.length === 0
          ? "The list is empty."
          : `Fallbacks: ${rows.map((each, at) => `${at + 1} ${nameOf(each)}`).join(", ")}.`,
      exitCode: EXIT.usage,
    });
  await save(app, rows.toSpliced(index, 1));
  io.out(`${nameOf(row)} is no longer a fallback.\n`);
}

export async function clearFallbacks({ io, open }: Call): Promise<void> {
  const app = await open();
  const count = rowsOf(app).length;
  await save(app, []);
  io.out(count === 0 ? "The list was empty.\n" : `Removed ${count}; there are no fallback models now.\n`);
}

async function askRow(app: App, io: Call["io"]): Promise<JsonObject | undefined> {
  if (!io.interactive)
    throw new UserError("Cannot ask for a model: there is no terminal.", {
      hint: "Name it: hermes fallback add provider/name",
      exitCode: EXIT.usage,
    });
  using questions = await Questions.open(io);
  const picked = await pickModel(app, io, questions);
  if (picked === undefined) return undefined;
  if (picked.apiKey !== undefined && picked.keyName !== undefined)
    await app.config.setVariable(picked.keyName, picked.apiKey);
  if (picked.model === "")
    throw new UserError("A fallback needs the name of a model.", {
      hint: "Name it: hermes fallback add provider/name",
    });
  return definedFields({
    provider: picked.provider,
    model: picked.model,
    base_url: picked.baseUrl,
  });
}

async function rowNamed(app: App, name: string): Promise<JsonObject> {
  const providers = (await app.models.providers()).map(({ id }) => id).filter((id) => id !== "offline");
  const [head = "", ...rest] = name.split("/");
  if (rest.length === 0 || !providers.includes(head))
    throw new UserError(`"${name}" does not name a provider.`, {
      hint: `Write provider/name. Providers: ${providers.join(", ")}.`,
      exitCode: EXIT.usage,
    });
  return { provider: head, model: rest.join("/") };
}

async function askWhich(rows: readonly JsonObject[], io: Call["io"]): Promise<number | undefined> {
  if (!io.interactive)
    throw new UserError("Cannot ask for a fallback: there is no terminal.", {
      hint: "Name it: hermes fallback remove NUMBER",
      exitCode: EXIT.usage,
    });
  using questions = await Questions.open(io);
  return questions.pick(
    "Remove which fallback?",
    rows.map((row, value) => ({ label: nameOf(row), value })),
    "no change",
  );
}

async function save(app: App, rows: readonly JsonObject[]): Promise<void> {
  if (rows.length === 0) await app.config.unset(PATH);
  else await app.config.set(PATH, JSON.stringify(rows));
}

function rowsOf(app: App): readonly JsonObject[] {
  const value: Json | undefined = app.config.get(PATH);
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

function nameOf(row: JsonObject): string {
  return printable(`${String(row["provider"] ?? "auto")}/${String(row["model"] ?? "")}`);
}
