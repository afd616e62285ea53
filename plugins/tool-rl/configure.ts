import {
  definedFields,
  ToolFailure,
  type Json,
  type JsonObject,
  type PluginContext,
  type ToolContext,
} from "hermes-agent/plugin";
import { findEnvironment, listEnvironments, readFields, type Field } from "./environments.ts";
import { expectedOf, fitValue } from "./fit-value.ts";
import { lockedFields } from "./locked-fields.ts";
import { needMeans } from "./means.ts";
import { nearFields } from "./near-fields.ts";
import { keepSelection, needSelection } from "./selection.ts";
import { settingsOf } from "./settings.ts";

type Call = Pick<ToolContext, "sessionId" | "signal">;
type Door = Pick<PluginContext, "home" | "setting" | "storage" | "redact">;

/** Maximum size of a value, because the whole selection is stored with the conversation. */
const MAX_VALUE = 10_000;
const PROJECT: Field = {
  name: "wandb_project",
  type: "str",
  default: "atropos-tinker",
  description: "Weights & Biases project of the run.",
  kinds: ["string"],
  choices: null,
};
const RUN_NAME: Field = {
  name: "wandb_name",
  type: "str",
  default: null,
  description: "Name of the environment's Weights & Biases run.",
  kinds: ["string", "null"],
  choices: null,
};

export async function reportedEnvironments(call: Call, ctx: Door): Promise<JsonObject> {
  const { environments, unreadable, omitted } = await listEnvironments(needMeans(ctx), call);
  return definedFields({
    environments: environments.map((one) => ({ ...one })),
    count: environments.length,
    unreadable: unreadable.length === 0 ? undefined : unreadable,
    omitted_files: omitted === 0 ? undefined : omitted,
    tips: [
      "Use rl_select_environment(name) to select one.",
      "Read file_path to see how it works: load_dataset, score_answer, get_next_item, config_init.",
      "To add an environment, create a file in the same folder with a subclass of BaseEnv.",
    ],
  });
}

export async function selectEnvironment(name: string, call: Call, ctx: Door): Promise<JsonObject> {
  const means = needMeans(ctx);
  const environment = await findEnvironment(name, means, call);
  const { fields: own, note } = await readFields(environment, means, call, ctx);
  const fields = [...own, ...[RUN_NAME, PROJECT].filter((extra) => !own.some((field) => field.name === extra.name))];
  const locked = lockedFields(settingsOf(ctx).ports);
  const at = Date.now();
  const free = fields.filter((field) => !(field.name in locked)).map((field) => [field.name, field.default] as const);
  const config = { ...Object.fromEntries(free), wandb_name: `${name}-${stampOf(new Date(at))}` };
  await keepSelection(call.sessionId, { environment, fields, config, at }, ctx);
  return definedFields({
    message: `Selected the environment ${name}: ${free.length} fields can be changed.`,
    environment: name,
    file_path: environment.file_path,
    note: note === "" ? undefined : note,
  });
}

export async function currentConfig(call: Call, ctx: Door): Promise<JsonObject> {
  const { environment, fields, config } = await needSelection(call.sessionId, ctx);
  const locked = lockedFields(settingsOf(ctx).ports);
  const message = ({ name, type, default: value, description, choices }: Field): JsonObject =>
    definedFields({
      name,
      type,
      default: value,
      description,
      choices: choices ?? undefined,
    });
  return {
    environment: environment.name,
    configurable_fields: fields
      .filter(({ name }) => !(name in locked))
      .map((field) => ({ ...message(field), current_value: config[field.name] ?? null })),
    locked_fields: fields
      .filter(({ name }) => name in locked)
      .map((field) => ({ ...message(field), current_value: locked[field.name]!, locked_value: locked[field.name]! })),
    tip: "Use rl_edit_config(field, value) to change a configurable field.",
  };
}

export async function editConfig(
  { field: name, value }: { readonly field: string; readonly value: Json },
  call: Call,
  ctx: Door,
): Promise<JsonObject> {
  const selection = await needSelection(call.sessionId, ctx);
  const locked = lockedFields(settingsOf(ctx).ports);
  if (name in locked)
    throw new ToolFailure("refused", `The field "${name}" is locked, because it must match the trainer.`, {
      data: { locked_value: locked[name]! },
    });
  const field = selection.fields.find((one) => one.name === name);
  if (field === undefined) {
    const names = selection.fields.map((one) => one.name);
    const near = nearFields(
      name,
      names.filter((one) => !(one in locked)),
    );
    throw new ToolFailure("bad_arguments", `The environment "${selection.environment.name}" has no field "${name}".`, {
      data: { available_fields: names },
      hint: near.length === 0 ? undefined : `Perhaps ${near.join(", ")}.`,
    });
  }
  if (JSON.stringify(value).length > MAX_VALUE)
    throw new ToolFailure(
      "bad_arguments",
      `The value of "${name}" is too long: at most ${MAX_VALUE} characters as JSON.`,
    );
  const fitted = fitValue(field, value);
  if (fitted === undefined)
    throw new ToolFailure(
      "bad_arguments",
      `${JSON.stringify(value).slice(0, 200)} is not a valid value for "${name}", which accepts ${expectedOf(field)}.`,
      { data: { field: name, type: field.type, current_value: selection.config[name] ?? null } },
    );
  const config = { ...selection.config, [name]: fitted };
  await keepSelection(call.sessionId, { ...selection, config, at: Date.now() }, ctx);
  return { message: `${name} is ${JSON.stringify(fitted)} now.`, field: name, value: fitted, config };
}

/** Local time as in `20261124-001500`. */
function stampOf(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}-${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`;
}
