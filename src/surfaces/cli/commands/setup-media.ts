import type { MediaBackendInfo, MediaSlot } from "../../../contract/media-desk.ts";
import { printable } from "../printable.ts";
import { askKey } from "./ask-key.ts";
import { giveVariables } from "./give-variables.ts";
import type { SetupDesk } from "./setup-desk.ts";

export type MediaSlots = readonly (readonly [slot: MediaSlot, makes: string])[];

/** Which backend makes pictures, films or speech, what it needs, and with which of its models. */
export async function askMedia(desk: SetupDesk, slots: MediaSlots): Promise<void> {
  let found = false;
  for (const [slot, makes] of slots) {
    const backends = await desk.app.media.list(slot);
    if (backends.length === 0) continue;
    found = true;
    const backend = await pickBackend(desk, slot, makes, backends);
    if (backend !== undefined) await askBackend(desk, slot, makes, backend);
  }
  if (!found && !desk.quick) desk.questions.tell(`No plugin brings a backend of ${slots.map(([, makes]) => makes).join(" or ")}.`, "dim");
}

async function pickBackend({ app, questions, quick }: SetupDesk, slot: MediaSlot, makes: string, backends: readonly MediaBackendInfo[]): Promise<MediaBackendInfo | undefined> {
  const now = backends.find(({ chosen }) => chosen);
  if (quick || backends.length === 1) return now;
  const picked = await questions.pick(`What makes ${makes}`, backends.map((backend) => ({ label: `${backend.id}: ${backend.label}${backend.chosen ? " (now)" : ""}`, value: backend })), "Number (Enter leaves it as it is):");
  if (picked === undefined) return now;
  await app.config.set(`${slot}.provider`, picked.id);
  return picked;
}

async function askBackend(desk: SetupDesk, slot: MediaSlot, makes: string, { id, label, plugin }: MediaBackendInfo): Promise<void> {
  const { app, questions, quick, io } = desk;
  const { models, preferred, env } = await app.media.look(slot, id);
  const given = new Set<string>();
  for (const { name, prompt, url } of env) {
    const before = app.config.hasVariable(name);
    if (quick && before) continue;
    await askKey(desk, { name, prompt, description: "", url, secret: true, required: true, tools: [`${makes} by ${label}`] });
    if (!before) given.add(name);
  }
  await giveVariables(app, plugin, id, given, io);
  if (quick || models.length === 0) return;
  const setting = app.config.get(`${slot}.model`);
  const listed = models.map((model) => ({ label: `${model.id}${model.display === undefined ? "" : `: ${model.display}`}${model.id === setting ? " (now)" : model.id === preferred ? " (its own choice)" : ""}`, value: model.id }));
  const picked = await questions.pick(`Models of ${printable(label)}`, listed, "Number (Enter leaves it as it is):");
  if (picked !== undefined) await app.config.set(`${slot}.model`, picked);
  // What another backend called a model means nothing to this one.
  else if (typeof setting === "string" && setting !== "" && !models.some((model) => model.id === setting)) await app.config.set(`${slot}.model`, "");
}
