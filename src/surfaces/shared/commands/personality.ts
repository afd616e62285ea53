import { NO_PERSONALITY, personalities } from "../../../contract/conversation/personality.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { nearest } from "../../../contract/common/nearest.ts";
import { twoColumns } from "../display/two-columns.ts";
import type { SlashHost } from "./slash-host.ts";

const SETTING = "display.personality";

/** `/personality [NAME|none]`. The system prompt of a session never changes, so a choice applies to new ones. */
export async function personality(args: string, host: SlashHost): Promise<string> {
  const { config } = host.app;
  const all = personalities((path) => config.get(path));
  const name = args.trim().toLowerCase();
  const current = String(config.get(SETTING) ?? "").toLowerCase();
  if (name === "" || name === "list") {
    const rows = [{ name: "none", description: "No personality" }, ...all].map((one) => ({
      head: `${one.name === current || (one.name === "none" && NO_PERSONALITY.has(current)) ? "●" : "○"} ${one.name}`,
      text: one.description,
    }));
    return `${twoColumns([rows], host.columns?.())}\nChoose one with: /personality NAME`;
  }
  if (host.chat?.whose !== undefined) return "Only my owner may choose my personality.";
  if (NO_PERSONALITY.has(name)) {
    await config.set(SETTING, "");
    return `No personality from the next session on.${startNow(host)}`;
  }
  if (!all.some((one) => one.name === name)) {
    const near = nearest(
      name,
      all.map((one) => one.name),
    );
    throw new UserError(`There is no personality "${name}".${near === undefined ? "" : ` Did you mean ${near}?`}`, {
      hint: "/personality lists them. Add your own to `agent.personalities` in config.yaml.",
    });
  }
  await config.set(SETTING, name);
  return `The personality is ${name} from the next session on.${startNow(host)}`;
}

export function personalityNames({ app }: SlashHost): readonly string[] {
  return ["none", ...personalities((path) => app.config.get(path)).map(({ name }) => name)];
}

function startNow({ switchSession }: SlashHost): string {
  return switchSession === undefined ? "" : " Start one with: /new";
}
