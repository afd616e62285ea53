import { platformPlans, type PlatformPlan } from "../../../shared/gateway/platform-plans.ts";
import { unlistedPlatforms } from "../../../shared/gateway/known-platforms.ts";
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
    const unlisted = unlistedPlatforms(new Set(plans.map((plan) => plan.name)));
    if (unlisted.length > 0)
      questions.report(`No installed plugin provides: ${unlisted.map(({ label }) => label).join(", ")}.`, "dim");
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
    await tryConnection({ app, questions }, picked.name);
  }
}

/** Tests the settings of a platform against its service, and reports how the first chat starts. */
async function tryConnection({ app, questions }: Pick<SetupContext, "app" | "questions">, name: string): Promise<void> {
  const plan = (await platformPlans(app, await app.gateway())).find((one) => one.name === name);
  if (plan?.state !== "ready") return;
  const platform = await plan.load();
  if (platform.test_connection !== undefined)
    try {
      const account = await platform.test_connection(plan.settings);
      questions.report(printable(`✓ ${plan.label} accepts these settings: ${account}`), "green");
    } catch (cause) {
      const { message, hint = "" } = cause as Error & { readonly hint?: string };
      return questions.report(printable(`✗ ${plan.label}: ${message} ${hint}`.trim()), "yellow");
    }
  questions.report("Start the gateway: hermes gateway", "dim");
  if (platform.first_step !== undefined) questions.report(printable(platform.first_step), "dim");
  if (platform.authenticates_senders !== true)
    questions.report(
      `The agent answers an unknown user with a code. Give access with: hermes pairing approve ${plan.name} CODE`,
      "dim",
    );
}
