import type { App } from "../../../contract/services/app.ts";
import { asTyped } from "../../shared/process/called-as.ts";

/** Reports background sessions of this surface whose process was killed; each is reported once. */
export async function reportLeft(app: App, surface: string, note: (text: string) => void): Promise<void> {
  const left = await app.agents.left(surface);
  if (left.length === 0) return;
  const { endedText } = await import("../../shared/commands/agents.ts");
  for (const one of left) {
    note(endedText(one));
    await app.agents.forget(one.id);
  }
}

/** Reports the background sessions that end because this program ends. */
export async function reportEnding(app: App, note: (text: string) => void): Promise<void> {
  for (const { id, kind, state } of await app.agents.list()) {
    if (kind !== "background" || state === "in another process") continue;
    note(asTyped(`The background session ${id} ends, too. Resume it with: hermes --resume ${id}`));
    await app.agents.forget(id);
  }
}
