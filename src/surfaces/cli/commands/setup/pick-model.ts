import type { App } from "../../../../contract/services/app.ts";
import type { Io } from "../../../shared/process/io.ts";
import { modelNow } from "../../../shared/conversation/model-now.ts";
import type { Choice, Questions } from "../../input/questions.ts";
import { modelAndServer } from "../../output/model-and-server.ts";

/** The picked model, with its API key if the user typed one. */
export interface PickedModel {
  readonly provider: string;
  /** "" for the provider's own default. */
  readonly model: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

interface Offer {
  readonly provider: string;
  readonly model?: string;
  readonly baseUrl?: string;
  /** Variables that may hold its key; none is set yet. */
  readonly lacksKey: readonly string[];
}

/** Asks for provider, key and model, and saves the choice. */
export async function askModel(app: App, io: Io, questions: Questions): Promise<void> {
  const before = await modelNow(app);
  questions.report(
    "problem" in before
      ? before.problem
      : before.offline
        ? "No model is connected yet, so the built-in rules answer."
        : `Current: ${modelAndServer(before)}`,
  );
  const picked = await pickModel(app, io, questions);
  if (picked === undefined) return;
  await app.models.choose(picked);
  const now = await modelNow(app);
  const lack = (await app.models.providers()).find(({ id, ready }) => id === picked.provider && !ready)?.reason;
  if ("problem" in now) questions.report(`✗ ${now.problem}`, "yellow");
  else if (lack !== undefined)
    questions.report(`✗ ${modelAndServer(now)} is saved, but cannot answer yet: ${lack}`, "yellow");
  else questions.report(`✓ ${modelAndServer(now)} answers from the next turn on.`, "green");
}

/** Asks for a provider, its key if one is missing, and one of its models. `undefined`: no change. */
export async function pickModel(app: App, io: Io, questions: Questions): Promise<PickedModel | undefined> {
  questions.report("Looking for local model servers…", "dim");
  const offer = await questions.pick(
    "Model provider",
    await offers(app, io.signal),
    "Number or part of the name (Enter: no change):",
  );
  if (offer === undefined) return undefined;
  const baseUrl =
    offer.provider === "custom" && offer.baseUrl === undefined
      ? await questions.text("Base URL, e.g. http://127.0.0.1:8080/v1:")
      : offer.baseUrl;
  if (baseUrl === "") return undefined;
  const [keyName] = offer.lacksKey;
  const apiKey =
    keyName === undefined ? "" : await questions.secret(`${keyName} (stored in .env, input hidden; Enter skips it):`);
  // Save the key before listing the models, which may need it. A custom server is saved only with its model.
  if (keyName !== undefined && apiKey !== "" && offer.provider !== "custom")
    await app.config.setVariable(keyName, apiKey);
  const model = offer.model ?? (await askName(app, io, questions, offer.provider));
  return {
    provider: offer.provider,
    model,
    baseUrl,
    apiKey: apiKey === "" ? undefined : apiKey,
  };
}

async function offers(app: App, signal: AbortSignal): Promise<readonly Choice<Offer>[]> {
  const [local, providers] = await Promise.all([app.models.findLocal(signal), app.models.providers()]);
  return [
    ...local.flatMap(({ name, baseUrl, models }) =>
      models.slice(0, 5).map((model): Choice<Offer> => ({
        label: `${model} (${name} at ${baseUrl})`,
        value: { provider: "custom", model, baseUrl, lacksKey: [] },
      })),
    ),
    ...providers
      .filter(({ id }) => id !== "offline" && id !== "custom")
      .map((provider) => ({ ...provider, state: stateOf(app, provider) }))
      .sort((a, b) => FIRST.indexOf(a.state) - FIRST.indexOf(b.state))
      .map(({ id, label, ready, keyEnv, state }): Choice<Offer> => ({
        label: `${label}${state === "" ? "" : ` (${state})`}`,
        value: { provider: id, lacksKey: ready ? [] : keyEnv },
      })),
    { label: "Another OpenAI-compatible server", value: { provider: "custom", lacksKey: ["its key"] } },
  ];
}

/**
 * The state of a provider in the list. Local servers that answered are listed above; other local servers may not be
 * running.
 */
function stateOf(
  app: App,
  {
    id,
    ready,
    keyEnv,
    program,
  }: { readonly id: string; readonly ready: boolean; readonly keyEnv: readonly string[]; readonly program: boolean },
): (typeof FIRST)[number] {
  if (!ready || id.startsWith("custom:")) return "";
  if (program) return "a local program";
  return keyEnv.some((name) => app.config.hasVariable(name)) ? "its key is set" : "a local server";
}

const FIRST = ["its key is set", "a local program", "a local server", ""] as const;

/** Offers the provider's list of models; if there is none, asks for a name. */
async function askName(app: App, io: Io, questions: Questions, provider: string): Promise<string> {
  const typed = "Model name (Enter: the provider's default):";
  if (provider === "custom") return questions.text(typed);
  const models = await app.models
    .list(provider, AbortSignal.any([io.signal, AbortSignal.timeout(LIST_MS)]))
    .catch((error: unknown) => {
      questions.report(`Cannot list its models: ${error instanceof Error ? error.message : String(error)}`, "dim");
      return [];
    });
  if (models.length === 0) return questions.text(typed);
  return (
    (await questions.pick(
      "Model",
      models.map((name) => ({ label: name, value: name })),
      "Number or part of the name (Enter: the provider's default):",
    )) ?? ""
  );
}

const LIST_MS = 10_000;
