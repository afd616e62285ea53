import type { MediaBackendInfo, MediaSlot } from "../../../../contract/services/media-service.ts";
import { printable } from "../../../shared/display/printable.ts";
import { askKey } from "./ask-key.ts";
import { giveVariables } from "./give-variables.ts";
import type { SetupContext } from "./setup-context.ts";

export type MediaSlots = readonly (readonly [slot: MediaSlot, makes: string])[];

/**
 * Asks the user which backend to use for each slot (images, video, speech, browser), and for the API keys and the model
 * of that backend.
 */
export async function askMedia(context: SetupContext, slots: MediaSlots): Promise<void> {
  let found = false;
  for (const [slot, makes] of slots) {
    const backends = await context.app.media.list(slot);
    if (backends.length === 0) continue;
    found = true;
    const backend = await pickBackend(context, slot, makes, backends);
    if (backend?.waits !== undefined) await askPlugin(context, makes, backend);
    if (backend !== undefined) await askBackend(context, slot, makes, backend);
  }
  if (!found && !context.quick)
    context.questions.report(
      `No plugin provides a backend for ${slots.map(([, makes]) => makes).join(" or ")}.`,
      "dim",
    );
}

async function pickBackend(
  { app, questions, quick }: SetupContext,
  slot: MediaSlot,
  makes: string,
  backends: readonly MediaBackendInfo[],
): Promise<MediaBackendInfo | undefined> {
  const { path, none } = await app.media.setting(slot);
  const now = backends.find(({ chosen }) => chosen);
  if (quick || (backends.length === 1 && none === undefined && backends[0]?.waits === undefined)) return now;
  const listed = backends.map((backend) => ({
    label: `${backend.id}: ${backend.label}${backend.chosen ? " (now)" : backend.waits === undefined ? "" : " (not set up yet)"}`,
    value: backend as MediaBackendInfo | "none",
  }));
  const local =
    none === undefined ? [] : [{ label: `${none}: local${now === undefined ? " (now)" : ""}`, value: "none" as const }];
  const picked = await questions.pick(`Backend for ${makes}`, [...local, ...listed], "no change");
  if (picked === undefined) return now;
  await app.config.set(path, picked === "none" ? none! : picked.id);
  return picked === "none" ? undefined : picked;
}

/** Asks for the variables that the plugin requires, then starts it. */
async function askPlugin(context: SetupContext, makes: string, { plugin, label }: MediaBackendInfo): Promise<void> {
  const { app } = context;
  for (const { name, prompt, description = "", url, secret = true } of (await app.plugins.info(plugin)).manifest
    .requires_env)
    await askKey(context, {
      name,
      prompt: prompt ?? name,
      description,
      url,
      secret,
      required: true,
      tools: [`${makes} by ${label}`],
    });
  await app.plugins.reload();
}

async function askBackend(
  context: SetupContext,
  slot: MediaSlot,
  makes: string,
  { id, label, plugin, waits }: MediaBackendInfo,
): Promise<void> {
  const { app, questions, quick, io } = context;
  const { models, preferred, env } = await app.media.look(slot, id);
  const given = new Set<string>();
  for (const { name, prompt, url } of env) {
    const before = app.config.hasVariable(name);
    // `askPlugin` already asked for the variables of a plugin that was waiting.
    if ((quick || waits !== undefined) && before) continue;
    await askKey(context, {
      name,
      prompt,
      description: "",
      url,
      secret: true,
      required: true,
      tools: [`${makes} by ${label}`],
    });
    if (!before) given.add(name);
  }
  await giveVariables(app, plugin, id, given, io);
  if (quick || models.length === 0) return;
  const setting = app.config.get(`${slot}.model`);
  const listed = models.map((model) => ({
    label: `${model.id}${model.display === undefined ? "" : `: ${model.display}`}${model.id === setting ? " (now)" : model.id === preferred ? " (default)" : ""}`,
    value: model.id,
  }));
  const picked = await questions.pick(`Models of ${printable(label)}`, listed, "no change");
  if (picked !== undefined) await app.config.set(`${slot}.model`, picked);
  // Another backend's model name is not valid here.
  else if (typeof setting === "string" && setting !== "" && !models.some((model) => model.id === setting))
    await app.config.set(`${slot}.model`, "");
}
