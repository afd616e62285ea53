import type { App } from "../../../contract/services/app.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { gatewayStatus } from "../../shared/gateway/gateway-status.ts";
import { whoRuns } from "../../shared/jobs/job-text.ts";
import { route, type Route } from "../route.ts";
import { withStates } from "../live/session-states.ts";

const RECENT = 8;

/** Overview of the model, the gateway, jobs and recent sessions. */
export const STATUS_ROUTES: readonly Route[] = [
  route("GET /api/status", async ({ app }) => {
    const [shown, sessions] = await Promise.all([statusOf(app), app.sessions.list({ limit: RECENT })]);
    return { ...shown, sessions: await withStates(app, sessions) };
  }),
  route("GET /api/doctor", ({ app }) => app.doctor()),
];

/** The overview without sessions. */
export async function statusOf(app: App): Promise<object> {
  const changed = await app.config.refresh();
  const [model, gateway, jobs] = await Promise.all([modelOf(app), gatewayStatus(app), whoRuns(app)]);
  return {
    version: app.version,
    home: app.home,
    profile: app.profile,
    model,
    gateway,
    jobs,
    notices: [...app.notices, ...changed],
  };
}

/** Never rejects: an unusable model must not hide the rest of the page. */
async function modelOf(
  app: App,
): Promise<{ readonly name: string; readonly provider: string; readonly offline: boolean; readonly notice?: string }> {
  try {
    const { model, provider, offline, notice } = await app.models.current();
    return { name: model, provider, offline, notice };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return {
      name: "",
      provider: "",
      offline: true,
      notice: [error.message, error.hint].filter((text) => text !== undefined).join(" "),
    };
  }
}
