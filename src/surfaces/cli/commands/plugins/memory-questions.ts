import type { App, MemorySetup } from "../../../../contract/services/app.ts";
import type { Json } from "../../../../contract/common/json.ts";
import type { MemoryField } from "../../../../contract/providers/memory.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import type { Io } from "../../../shared/process/io.ts";
import { printable } from "../../../shared/display/printable.ts";
import { Questions } from "../../input/questions.ts";
import { givingLine, notGiven } from "../../../shared/plugins/given-variables.ts";
import { giveVariables } from "../setup/give-variables.ts";

type Answers = { [key: string]: Json };

/**
 * Asks for the fields that a memory provider declares. Stores secrets in `.env` and the rest with the provider.
 * Without a terminal it lists what is missing.
 */
export async function askForMemory(app: App, setup: MemorySetup, provider: string, io: Io): Promise<void> {
  const given = new Set<string>();
  const answers: Answers = {};
  if (!io.interactive) {
    for (const { key, env_var, required, secret, description, url, ...field } of setup.fields) {
      if (env_var === undefined) {
        if (required === true && field.default === undefined)
          io.note(
            `${provider} needs ${key}${descriptionOf([description, url])}: ${asTyped("hermes memory setup")} ${provider} asks for it in a terminal\n`,
          );
        continue;
      }
      if (app.config.hasVariable(env_var) || !(required === true || secret === true)) continue;
      io.note(
        `${provider} ${required === true ? "needs" : "can use"} ${env_var}${descriptionOf([description, url])}: ${asTyped("hermes config set")} ${env_var} VALUE\n`,
      );
      given.add(env_var);
    }
    const withheld = await withheldSecrets(app, setup);
    if (withheld.length > 0)
      io.note(
        `${withheld.join(", ")} ${withheld.length === 1 ? "is" : "are"} set, but ${provider} gets ${withheld.length === 1 ? "it" : "them"} only with your permission: ${asTyped(givingLine(app, setup.plugin, withheld))}\n`,
      );
  } else {
    using questions = await Questions.open(io);
    for (const field of setup.fields)
      if (isAsked(field, answers)) await ask(app, field, { provider, answers, given, questions });
  }
  await giveVariables(app, setup.plugin, provider, given, io);
  if (Object.keys(answers).length > 0) await setup.save(answers);
}

/**
 * Secrets that a provider names and that are set, but not given to it: the user may have set them for something else.
 */
async function withheldSecrets(app: App, { plugin, fields }: MemorySetup): Promise<readonly string[]> {
  return notGiven(
    app,
    plugin,
    fields.flatMap(({ secret, env_var }) =>
      secret === true && env_var !== undefined && app.config.hasVariable(env_var) ? [env_var] : [],
    ),
  );
}

interface Asking {
  readonly provider: string;
  readonly answers: Answers;
  readonly given: Set<string>;
  readonly questions: Questions;
}

function isAsked({ when }: MemoryField, answers: Answers): boolean {
  return Object.entries(when ?? {}).every(([key, value]) => answers[key] === value);
}

async function ask(app: App, field: MemoryField, { provider, answers, given, questions }: Asking): Promise<void> {
  const { key, env_var, secret } = field;
  const label = printable(field.description ?? key);
  if (secret === true) {
    if (env_var === undefined) return;
    if (app.config.hasVariable(env_var)) {
      // The user may have set it for something else.
      if (await questions.yes(`${env_var} is set. May ${provider} use it?`)) given.add(env_var);
      return;
    }
    if (field.url !== undefined) questions.report(`Get it at ${field.url}`);
    const typed = await questions.secret(`${label} (${env_var}; stored in .env, input hidden):`);
    if (typed !== "") await app.config.setVariable(env_var, typed);
    given.add(env_var);
    return;
  }
  const fallback = field.default === undefined ? "" : String(field.default);
  const typed =
    field.choices === undefined
      ? await questions.text(`${label}${fallback === "" ? "" : ` [${fallback}]`}:`)
      : await questions.pick(
          label,
          field.choices.map((value) => ({ label: value, value })),
          fallback === "" ? "skip" : `default: ${fallback}`,
        );
  const value = typed === undefined || typed === "" ? (field.default ?? "") : typed;
  if (value === "") return;
  answers[key] = value;
  if (env_var === undefined || typed === undefined || typed === "") return;
  await app.config.setVariable(env_var, typed);
  given.add(env_var);
}

function descriptionOf(texts: readonly (string | undefined)[]): string {
  const known = texts.filter((text) => text !== undefined).map(printable);
  return known.length === 0 ? "" : ` (${known.join("; ")})`;
}
