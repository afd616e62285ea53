import { UserError } from "../../../contract/common/failure.ts";
import { gatewayStatus } from "../../shared/gateway/gateway-status.ts";
import { Pairing } from "../../shared/gateway/pairing.ts";
import { route, type Route } from "../route.ts";

const MOST_DELIVERIES = 200;

/** Chats: platforms, pairing requests and the queue of outgoing messages. */
export const GATEWAY_ROUTES: readonly Route[] = [
  route("GET /api/gateway", async ({ app }) => {
    await app.config.refresh();
    const lanes = await (await app.gateway()).lanes();
    const [status, deliveries] = await Promise.all([
      gatewayStatus(app, { startsProviders: false }),
      lanes.pendingDeliveries(MOST_DELIVERIES),
    ]);
    return { ...status, pairing: new Pairing(app.home).list(), deliveries };
  }),
  route("POST /api/gateway/pairings/:platform/:id", ({ app, params: [platform = "", id = ""] }) => {
    const pairing = new Pairing(app.home);
    const request = pairing.list().pending.find((one) => one.platform === platform && one.id === id);
    const approved = request && pairing.approveRequest(request.platform, request.id);
    if (approved === undefined)
      throw new UserError("This pairing request no longer exists.", {
        hint: "A request is valid for one hour. The user can write to the bot again for a new one.",
      });
    return approved;
  }),
  route("DELETE /api/gateway/pairings", ({ app }) => ({ deleted: new Pairing(app.home).clearPending() })),
  route("DELETE /api/gateway/access/:platform/:user", ({ app, params: [platform = "", user = ""] }) => {
    const pairing = new Pairing(app.home);
    const found = pairing.list().approved.find((one) => one.platform === platform && one.userId === user);
    if (found === undefined || !pairing.revoke(found.platform, found.userId))
      throw new UserError(`${user} has no access by a code on ${platform}.`, {
        hint: "To revoke a user who is listed in .env, edit .env.",
      });
  }),
  route("POST /api/gateway/deliveries/:id/retry", async ({ app, params: [id = ""] }) => {
    const lanes = await (await app.gateway()).lanes();
    if (!(await lanes.resend(Number(id))))
      throw new UserError("This message does not wait for a decision any more.", {
        hint: "It was sent or queued again. Load the page again.",
      });
  }),
];
