import type { App } from "../../../contract/services/app.ts";
import type { Fact } from "../../../contract/conversation/fact.ts";
import type { Session } from "../../../contract/conversation/session.ts";
import { footerFields } from "../../shared/display/footer-fields.ts";
import { homePath } from "../../shared/display/home-path.ts";

/** The line of figures under a chat's answers (`/footer`). */
export class RunFigures {
  /** Tokens of the newest request, and its session and model. */
  #session = "";
  #tokens = 0;

  onFact(sessionId: string, fact: Fact): void {
    if (fact.type !== "model.answered") return;
    this.#session = sessionId;
    this.#tokens = fact.usage.inputTokens;
  }

  /** Appends the line to an answer if the settings ask for it. */
  async under(text: string, app: Pick<App, "config" | "models">, platform: string, session: Session): Promise<string> {
    const fields = footerFields(app, platform);
    if (fields === undefined) return text;
    const { model } = session.view();
    const share =
      this.#session === session.id && model !== undefined ? await shareOf(this.#tokens, model, app) : undefined;
    const figures = {
      model,
      context_pct: share,
      cwd: homePath(session.cwd),
    };
    const shown = fields.flatMap((field) => figures[field] ?? []);
    return shown.length === 0 ? text : `${text}\n\n${shown.join(" · ")}`;
  }
}

/** Fails silently: an answer never waits for a missing figure. */
async function shareOf(tokens: number, model: string, { models }: Pick<App, "models">): Promise<string | undefined> {
  const most = await models.contextTokens(model).catch(() => undefined);
  return most === undefined ? undefined : `${Math.round((100 * tokens) / most)} % of context`;
}
