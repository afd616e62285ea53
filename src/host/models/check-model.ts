import type { ModelCheck, ModelService } from "../../contract/services/model-service.ts";
import { UserError } from "../../contract/common/failure.ts";
import { nearest } from "../../contract/common/nearest.ts";
import type { ModelEnd, ModelFailure, ModelProvider } from "../../contract/providers/model.ts";
import { chooseModel, type ModelChoice } from "./model-choice.ts";
import { CUSTOM } from "./model-providers.ts";
import { choicePorts, modelSettings, withKey, type ModelSettingsPorts } from "./model-settings.ts";

/** A local server may load the model first. */
const PROBE_MS = 30_000;
const LIST_MS = 10_000;
/** Failures that the user must fix; after any other the model may answer later. */
const CERTAIN: ReadonlySet<ModelFailure["code"]> = new Set(["auth", "billing", "model_not_found"]);

/** Whether a choice can answer, by one small request. Nothing is saved. */
export async function checkModel(
  wanted: Parameters<ModelService["choose"]>[0],
  ports: ModelSettingsPorts,
  signal: AbortSignal,
): Promise<ModelCheck> {
  let choice: ModelChoice;
  try {
    choice = chooseModel(
      { run: { provider: wanted.provider, name: wanted.model, baseUrl: wanted.baseUrl } },
      withKey(wanted, choicePorts(ports)),
    );
  } catch (error) {
    if (error instanceof UserError) return { ok: false, certain: true, reason: error.message };
    throw error;
  }
  if (choice.offline) return { ok: true };
  const provider = await ports.slots.use("model", choice.provider.id);
  // A program that answers signs in itself, and each question to it may start a session.
  if (provider.program === true) return { ok: true };
  const failure = await probe(provider, choice, ports, AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]));
  signal.throwIfAborted();
  if (failure === undefined) return { ok: true };
  const near = failure.code === "model_not_found" ? await nearestNames(provider, choice, ports, signal) : [];
  return {
    ok: false,
    certain: CERTAIN.has(failure.code),
    reason: failure.code === "cancelled" ? `There was no answer within ${PROBE_MS / 1000} s.` : failure.message,
    near,
  };
}

async function probe(
  provider: ModelProvider,
  choice: ModelChoice,
  { config }: ModelSettingsPorts,
  signal: AbortSignal,
): Promise<ModelFailure | undefined> {
  const model = choice.model ?? "";
  const settings = modelSettings(config, choice, model);
  let end: ModelEnd | undefined;
  for await (const event of provider.connect(settings).stream(
    {
      model,
      system: "",
      tools: [],
      messages: [{ role: "user", parts: [{ type: "text", text: "Answer with OK." }] }],
      maxOutputTokens: 16,
      sessionId: "check",
      purpose: { kind: "check" },
      connectMs: 5000,
    },
    signal,
  ))
    if (event.type === "end") end = event;
  return end?.kind === "failure" ? end.failure : undefined;
}

/** The listed names that are most like the one that the service does not know. */
async function nearestNames(
  provider: ModelProvider,
  choice: ModelChoice,
  { config }: ModelSettingsPorts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const model = choice.model ?? "";
  const names = await provider
    .listModels?.(modelSettings(config, choice, model), AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]))
    .catch(() => []);
  if (names === undefined) return [];
  const others = names.filter((name) => name !== model);
  const first = nearest(model, others);
  const stem = model.split(/[-:._/]/, 1)[0]!.toLowerCase();
  const alike = others.filter((name) => name !== first && stem !== "" && name.toLowerCase().includes(stem));
  const found = [...(first === undefined ? [] : [first]), ...alike];
  // A short list says more than nothing.
  return (found.length > 0 ? found : choice.provider.id === CUSTOM ? others : []).slice(0, 5);
}
