import { platformPlans, type PlatformPlan } from "../../../shared/gateway/platform-plans.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import { printable } from "../../../shared/display/printable.ts";
import { askKey } from "./ask-key.ts";
import type { SetupContext } from "./setup-context.ts";

const STATES: { readonly [State in PlatformPlan["state"]]: string } = {
  ready: "ready",
  lacking: "partly set up",
  off: "switched off",
  new: "not set up",
};
const SECRET_NAME = /_(KEY|TOKEN|SECRET|PASSWORD)$/;

/**
 * Asks for a chat platform and the variables that its plugin declares, until the user is done. Hides the input of
 * secrets.
 */
export async function askGateway({ app, questions, quick }: SetupContext): Promise<void> {
  if (quick) return;
  const plugins = new Map((await app.plugins.list()).map((plugin) => [plugin.key, plugin]));
  for (;;) {
    const plans = await platformPlans(app, await app.gateway());
    if (plans.length === 0) return questions.report("No enabled plugin provides a chat platform.", "dim");
    const choices = plans.map((plan) => ({
      label: printable(
        `${plan.name}: ${plan.label} (${STATES[plan.state]}${plan.lacks.length === 0 ? "" : `: ${plan.lacks.join("; ")}`})`,
      ),
      value: plan,
    }));
    const picked = await questions.pick("Chat platforms", choices, "continue");
    if (picked === undefined) return;
    if (picked.help !== undefined) {
      questions.report(asTyped(picked.help), "yellow");
      continue;
    }
    const manifest = plugins.get(picked.plugin)?.manifest;
    for (const [needs, required] of [
      [manifest?.requires_env ?? [], true],
      [manifest?.optional_env ?? [], false],
    ] as const) {
      for (const { name, prompt = name, description = "", url, secret = SECRET_NAME.test(name) } of needs)
        await askKey({ app, questions }, { name, prompt, description, url, secret, required, tools: [picked.label] });
    }
    // Starts a plugin that was waiting for a variable.
    await app.plugins.reload();
  }
}
