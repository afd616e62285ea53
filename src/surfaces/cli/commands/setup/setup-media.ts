import type { MediaBackendInfo, MediaSlot } from "../../../../contract/services/media-service.ts";
import { printable } from "../../../shared/display/printable.ts";
import { askKey } from "./ask-key.ts";
import { giveVariables } from "./give-variables.ts";
import type { SetupContext } from "./setup-context.ts";

export type MediaSlots = readonly (readonly [slot: MediaSlot, makes: string, verb?: string])[];

/** Which backend makes pictures, films or speech, or runs browsers; what it needs, and with which of its models. */
export async function askMedia(service: SetupContext, slots: MediaSlots): Promise<void> {
  let found = false;
  for (const [slot, makes, verb = "makes"] of slots) {
    const backends = await service.app.media.list(slot);
    if (backends.length === 0) continue;
    found = true;
    const backend = await pickBackend(service, slot, `${verb} ${makes}`, backends);
    if (backend?.waits !== undefined) await askPlugin(service, makes, backend);
    if (backend !== undefined) await askBackend(service, slot, makes, backend);
  }
  if (!found && !service.quick)
    service.questions.report(`No plugin brings a backend of ${slots.map(([, makes]) => makes).join(" or ")}.`, "dim");
}

async function pickBackend(
  { app, questions, quick }: SetupContext,
  slot: MediaSlot,
  does: string,
  backends: readonly MediaBackendInfo[],
): Promise<MediaBackendInfo | undefined> {
  const { path, none } = await app.media.setting(slot);
  const now = backends.find(({ chosen }) => chosen);
  if (quick || (backends.length === 1 && none === undefined && backends[0]?.waits === undefined)) return now;
  const listed = backends.map((backend) => ({
    label: `${backend.id}: ${backend.label}${backend.chosen ? " (now)" : backend.waits === undefined ? "" : " (not set up yet)"}`,
    value: backend as MediaBackendInfo | "none",
  }));
  const noUser =
    none === undefined
      ? []
      : [{ label: `${none}: this machine${now === undefined ? " (now)" : ""}`, value: "none" as const }];
  const picked = await questions.pick(`What ${does}`, [...noUser, ...listed], "Number (Enter leaves it as it is):");
  if (picked === undefined) return now;
  await app.config.set(path, picked === "none" ? none! : picked.id);
  return picked === "none" ? undefined : picked;
}

/** What its plugin cannot be without; with it the plugin runs. */
async function askPlugin(service: SetupContext, makes: string, { plugin, label }: MediaBackendInfo): Promise<void> {
  const { app } = service;
  for (const { name, prompt, description = "", url, secret = true } of (await app.plugins.info(plugin)).manifest
    .requires_env)
    await askKey(service, {
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
  service: SetupContext,
  slot: MediaSlot,
  makes: string,
  { id, label, plugin, waits }: MediaBackendInfo,
): Promise<void> {
  const { app, questions, quick, io } = service;
  const { models, preferred, env } = await app.media.look(slot, id);
  const given = new Set<string>();
  for (const { name, prompt, url } of env) {
    const before = app.config.hasVariable(name);
    // Of one that waited it was asked already.
    if ((quick || waits !== undefined) && before) continue;
    await askKey(service, {
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
    label: `${model.id}${model.display === undefined ? "" : `: ${model.display}`}${model.id === setting ? " (now)" : model.id === preferred ? " (its own choice)" : ""}`,
    value: model.id,
  }));
  const picked = await questions.pick(`Models of ${printable(label)}`, listed, "Number (Enter leaves it as it is):");
  if (picked !== undefined) await app.config.set(`${slot}.model`, picked);
  // What another backend called a model means nothing to this one.
  else if (typeof setting === "string" && setting !== "" && !models.some((model) => model.id === setting))
    await app.config.set(`${slot}.model`, "");
}
