import type { App } from "../../../../contract/services/app.ts";
import { UserError } from "../../../../contract/common/failure.ts";
import { objectOf } from "../../../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../../../contract/common/json.ts";
import { nearest } from "../../../../contract/common/nearest.ts";
import { Questions } from "../../input/questions.ts";
import { printable } from "../../../shared/display/printable.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import type { Call } from "../../program/call.ts";

/** `hermes moa`: the presets of models for `mixture_of_agents`. */
interface Preset {
  readonly name: string;
  readonly isDefault: boolean;
  readonly enabled: boolean;
  readonly reference_models: readonly string[];
  readonly aggregator: string | null;
}

export async function listPresets({ io, open }: Call, { json }: { readonly json?: boolean }): Promise<void> {
  const presets = presetsOf(await open("for-repair"));
  if (json) return io.out(`${JSON.stringify(presets, null, 2)}\n`);
  if (presets.length === 0) return io.note(asTyped("No presets. Create one with: hermes moa configure NAME\n"));
  for (const { name, isDefault, enabled, reference_models, aggregator } of presets) {
    const marks = [...(isDefault ? ["in use"] : []), ...(enabled ? [] : ["disabled"])];
    io.out(
      printable(
        `${name}${marks.length === 0 ? "" : ` (${marks.join(", ")})`}\n${reference_models.map((model) => `  asks      ${model}\n`).join("")}  combines  ${aggregator ?? "no model is set"}\n`,
      ),
    );
  }
}

export async function configurePreset(
  { io, open }: Call,
  given: string | undefined,
  options: { readonly reference?: readonly string[]; readonly aggregator?: string; readonly use?: boolean },
): Promise<void> {
  const app = await open();
  const name = given ?? presetsOf(app).find(({ isDefault }) => isDefault)?.name ?? "default";
  if (!/^[\w-]{1,64}$/.test(name))
    throw new UserError(`"${name}" is not a valid preset name.`, {
      hint: "Use letters, digits, _ and -.",
      exitCode: EXIT.usage,
    });
  const before = presetsOf(app).find((preset) => preset.name === name);
  const asked =
    options.reference === undefined && options.aggregator === undefined
      ? await askForModels(io, name, before)
      : {
          references: options.reference ?? before?.reference_models ?? [],
          aggregator: options.aggregator ?? before?.aggregator ?? "",
        };
  const known = (await app.models.providers()).map(({ id }) => id);
  const references = asked.references.map((model) => slotOf(model, known));
  if (references.length === 0)
    throw new UserError(`The preset "${name}" has no models to ask.`, {
      hint: "Name them: --reference provider/model, once for each.",
      exitCode: EXIT.usage,
    });
  if (asked.aggregator === "")
    throw new UserError(`The preset "${name}" has no model that combines the answers.`, {
      hint: "Name it: --aggregator provider/model.",
      exitCode: EXIT.usage,
    });
  // Temperatures and limits of the preset stay.
  const preset: JsonObject = {
    ...objectOf(app.config.get(`moa.presets.${name}`)),
    reference_models: references,
    aggregator: slotOf(asked.aggregator, known),
  };
  await app.config.set(`moa.presets.${name}`, JSON.stringify(preset));
  if (options.use === true) await app.config.set("moa.default_preset", name);
  io.out(`Saved the preset "${name}": ${references.length} ${references.length === 1 ? "model" : "models"} to ask.\n`);
  if (presetsOf(app).find((one) => one.name === name)?.isDefault !== true)
    io.note(asTyped(`Use it with: hermes config set moa.default_preset ${name}\n`));
  if (!app.tools.toolsets().some((toolset) => toolset.name === "moa" && toolset.enabled))
    io.note(asTyped("The toolset moa is off. Enable it with: hermes tools enable moa\n"));
}

async function askForModels(
  io: Call["io"],
  name: string,
  before: Preset | undefined,
): Promise<{ readonly references: readonly string[]; readonly aggregator: string }> {
  if (!io.interactive)
    throw new UserError("Cannot ask for models: there is no terminal.", {
      hint: "Name them: --reference provider/model, once for each, and --aggregator provider/model.",
      exitCode: EXIT.usage,
    });
  using questions = await Questions.open(io);
  const present = before?.reference_models.join(", ") ?? "";
  const typed = await questions.text(
    `Models that "${name}" asks, as provider/model, with commas${present === "" ? "" : ` [${present}]`}:`,
  );
  const references = (typed === "" ? present : typed).split(",").flatMap((model) => model.trim() || []);
  const last = before?.aggregator ?? references[0] ?? "";
  const aggregator = await questions.text(`Model that combines the answers${last === "" ? "" : ` [${last}]`}:`);
  return { references, aggregator: aggregator === "" ? last : aggregator };
}

export async function deletePreset({ io, open }: Call, name: string): Promise<void> {
  const app = await open();
  const found = presetsOf(app).find((preset) => preset.name === name);
  if (found === undefined)
    throw new UserError(`There is no preset "${name}".`, {
      hint: `Presets: ${
        presetsOf(app)
          .map((preset) => preset.name)
          .join(", ") || "none"
      }.`,
      exitCode: EXIT.usage,
    });
  if (!(await app.config.unset(`moa.presets.${name}`)))
    throw new UserError(`The preset "${name}" is a default of Hermes and cannot be deleted.`, {
      hint: asTyped(`Disable it with: hermes config set moa.presets.${name}.enabled false`),
    });
  if (found.isDefault && name !== "default") await app.config.unset("moa.default_preset");
  io.out(`Deleted the preset "${name}".\n`);
}

function presetsOf({ config }: App): readonly Preset[] {
  const used = config.get("moa.default_preset");
  const inUse = typeof used === "string" && used !== "" ? used : "default";
  return Object.entries(objectOf(config.get("moa.presets"))).map(([name, value]) => {
    const { reference_models, aggregator, enabled } = objectOf(value);
    return {
      name,
      isDefault: name === inUse,
      enabled: enabled !== false,
      reference_models: (Array.isArray(reference_models) ? (reference_models as readonly Json[]) : []).flatMap(
        (one) => labelOf(one) ?? [],
      ),
      aggregator: labelOf(aggregator) ?? null,
    };
  });
}

function labelOf(slot: Json | undefined): string | undefined {
  const { provider, model } = objectOf(slot);
  if (typeof model !== "string" || model === "") return undefined;
  return typeof provider === "string" && provider !== "" ? `${provider}/${model}` : model;
}

/** @throws {UserError} for a model without a known provider: the preset would fail when it is used. */
function slotOf(text: string, providers: readonly string[]): { readonly provider: string; readonly model: string } {
  const [, provider = "", model = ""] = /^([^/]+)\/(.+)$/.exec(text.trim()) ?? [];
  if (providers.includes(provider)) return { provider, model };
  const near = nearest(provider, providers);
  throw new UserError(`"${text}" does not begin with a provider: write provider/model.`, {
    hint: near === undefined ? "`hermes model` lists the providers." : `Did you mean ${near}/${model}?`,
    exitCode: EXIT.usage,
  });
}
