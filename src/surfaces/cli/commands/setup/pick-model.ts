import type { App } from "../../../../contract/services/app.ts";
import type { ModelCheck } from "../../../../contract/services/model-service.ts";
import type { Io } from "../../../shared/process/io.ts";
import { modelNow } from "../../../shared/conversation/model-now.ts";
import type { Questions } from "../../input/questions.ts";
import { modelAndServer } from "../../output/model-and-server.ts";
import { providerOffers, type Offer } from "./provider-offers.ts";

/** The picked model, with its API key if the user typed one. */
export interface PickedModel {
  readonly provider: string;
  /** "" for the provider's own default. */
  readonly model: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** The variable that holds the key. */
  readonly keyName?: string;
}

interface Asking {
  readonly app: App;
  readonly io: Io;
  readonly questions: Questions;
}

const LIST_MS = 10_000;
/** Keys look like this; anything else may be a slip, such as an address. */
const KEY = /^\S{4,}$/;

/**
 * Asks for provider, key and model, tests them with one small request, and saves the choice.
 *
 * @returns the saved model; `undefined` if nothing changed.
 */
export async function askModel(app: App, io: Io, questions: Questions): Promise<PickedModel | undefined> {
  const before = await modelNow(app);
  questions.report(
    "problem" in before
      ? before.problem
      : before.offline
        ? "No model is connected yet, so the built-in rules answer."
        : `Current: ${modelAndServer(before)}`,
  );
  const picked = await pickModel(app, io, questions, before.offline ? "leave" : "no change");
  if (picked === undefined) return undefined;
  await app.models.choose(picked);
  const now = await modelNow(app);
  const lack = (await app.models.providers()).find(({ id, ready }) => id === picked.provider && !ready)?.reason;
  if ("problem" in now) questions.report(`✗ ${now.problem}`, "yellow");
  else if (lack !== undefined)
    questions.report(`✗ ${modelAndServer(now)} is saved, but cannot answer yet: ${lack}`, "yellow");
  else questions.report(`✓ ${modelAndServer(now)} answers from the next turn on.`, "green");
  questions.report(`  Saved: the model in ${app.config.file}`, "dim");
  if (picked.apiKey !== undefined && picked.keyName !== undefined)
    questions.report(`         ${picked.keyName} in ${app.config.envFile}`, "dim");
  return picked;
}

/**
 * Asks for a provider, its key if one is needed, and one of its models, until a small request is answered or the user
 * saves the choice anyway. Saves nothing. `undefined`: no change.
 */
export async function pickModel(
  app: App,
  io: Io,
  questions: Questions,
  otherwise = "no change",
): Promise<PickedModel | undefined> {
  questions.report("Looking for local model servers…", "dim");
  const offers = await providerOffers(app, io.signal);
  for (;;) {
    const offer = await questions.pick("Model provider", offers, otherwise, { begin: "first" });
    if (offer === undefined) return undefined;
    const picked = await connect({ app, io, questions }, offer);
    if (picked !== "another provider") return picked;
  }
}

/** Asks for what the provider needs, and tests it. */
async function connect(asking: Asking, offer: Offer): Promise<PickedModel | undefined | "another provider"> {
  const { questions } = asking;
  const baseUrl =
    offer.provider === "custom" && offer.baseUrl === undefined
      ? await questions.text("Base URL, e.g. http://127.0.0.1:8080/v1:")
      : offer.baseUrl;
  if (baseUrl === "") return "another provider";
  let apiKey = await askKey(asking, offer);
  let model: string | undefined = offer.model;
  for (;;) {
    if (apiKey === "back") return "another provider";
    model ??= await askName(asking, offer, { apiKey, baseUrl });
    const picked: PickedModel = { provider: offer.provider, model, baseUrl, apiKey, keyName: offer.keyEnv[0] };
    const next = await test(asking, picked, offer);
    if (next === "answers" || next === "save") return picked;
    if (next === "leave") return undefined;
    if (next === "another provider") return next;
    if (next === "another key") apiKey = await askKey(asking, offer, "refused");
    else model = typeof next === "object" ? next.model : undefined;
  }
}

/**
 * Asks for the key without showing it.
 *
 * @param refused The key that is set, or the last typed one, does not work.
 * @returns the typed key; `undefined` to use the one that is set, or none; `back` if a needed key was not typed.
 */
async function askKey(
  { app, questions }: Asking,
  { keyEnv, key }: Offer,
  refused?: "refused",
): Promise<string | undefined | "back"> {
  const set = keyEnv.find((name) => app.config.hasVariable(name));
  const name = set ?? keyEnv[0];
  if (name === undefined || (key === "none" && refused === undefined)) return undefined;
  const where = set === undefined ? undefined : app.config.explain(set).where;
  if (set !== undefined && refused === undefined) questions.report(`Using ${set} from ${where ?? "the environment"}.`);
  // A key in the process's environment wins over the one in .env, so another one would have no effect.
  if (set !== undefined && where !== app.config.envFile) {
    if (refused === undefined) return undefined;
    questions.report(
      `${set} is set in the environment, which wins over .env. Change it there, then run this again.`,
      "yellow",
    );
    return "back";
  }
  const url = await keyUrl(app, name);
  if (url !== undefined && set === undefined) questions.report(`Get a key at ${url}`);
  const enter =
    set !== undefined ? "Enter keeps the saved one" : key === "required" ? "Enter goes back" : "Enter: no key";
  for (;;) {
    const typed = await questions.secret(`${name} (stored in .env, input hidden; ${enter}):`);
    if (typed === "") return set === undefined && key === "required" ? "back" : undefined;
    if (KEY.test(typed)) return typed;
    questions.report("That is not a key: a key has at least 4 characters and no spaces.", "yellow");
  }
}

/** Where a user gets the key, as the plugin that reads it says. */
async function keyUrl(app: App, name: string): Promise<string | undefined> {
  return (await app.plugins.list())
    .flatMap(({ manifest }) => [...manifest.requires_env, ...manifest.optional_env])
    .find((one) => one.name === name && one.url !== undefined)?.url;
}

/** Offers the provider's models, the recommended one first; if there is no list, asks for a name. */
async function askName(
  { app, io, questions }: Asking,
  { provider, defaultModel }: Offer,
  unsaved: { readonly apiKey?: string; readonly baseUrl?: string },
): Promise<string> {
  const byName = (): Promise<string> =>
    questions.text(`Model name (Enter: ${defaultModel ?? "the provider's default"}):`);
  const models = await app.models
    .list(provider, AbortSignal.any([io.signal, AbortSignal.timeout(LIST_MS)]), unsaved)
    .catch((error: unknown) => {
      questions.report(`Cannot list its models: ${error instanceof Error ? error.message : String(error)}`, "dim");
      return [];
    });
  if (models.length === 0) return byName();
  const recommended = models.filter((name) => name === defaultModel);
  const others = models.filter((name) => name !== defaultModel);
  const picked = await questions.pick(
    "Model",
    [
      ...recommended.map((name) => ({ label: `${name} (recommended)`, value: name })),
      ...others.map((name) => ({ label: name, value: name })),
      { label: "Another name…", value: "" },
    ],
    "the provider's default",
    { begin: "first" },
  );
  return picked === "" ? byName() : (picked ?? "");
}

type Next =
  | "answers"
  | "save"
  | "leave"
  | "another provider"
  | "another key"
  | "another model"
  | { readonly model: string };

/** Sends one small request. If it is not answered, asks what to do. */
async function test({ app, io, questions }: Asking, picked: PickedModel, offer: Offer): Promise<Next> {
  const name = modelAndServer({ ...picked, model: picked.model === "" ? "the default model" : picked.model });
  questions.report(`Testing ${name} with one small request…`, "dim");
  const check: ModelCheck = await app.models.check(picked, io.signal);
  if (check.ok) return "answers";
  questions.report(`✗ ${check.reason}`, "yellow");
  const near = check.near ?? [];
  return (
    (await questions.pick<Next>(
      "What now?",
      [
        ...near.map((model) => ({ label: `Use ${model}`, value: { model } })),
        ...(offer.keyEnv.length === 0 ? [] : [{ label: "Enter another key", value: "another key" as const }]),
        { label: "Choose another model", value: "another model" },
        { label: "Choose another provider", value: "another provider" },
        { label: "Save it anyway", value: "save" },
      ],
      "leave without saving",
      { begin: "first" },
    )) ?? "leave"
  );
}
