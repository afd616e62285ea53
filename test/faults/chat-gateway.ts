import { loopbackChat } from "../../examples/plugins/loopback-chat/index.ts";
import type { ChatLanes } from "../../src/contract/services/gateway-service.ts";
import { openApp } from "../../src/host/app/open-app.ts";
import { Gateway } from "../../src/surfaces/gateway/gateway.ts";

/**
 * A gateway with one platform that kills itself with SIGKILL right before or after a step of its lanes, once a message
 * with that text arrives:
 * `PORT before:sent "message 3"`. `step:7` kills it before the seventh step after the first message.
 */
const [port = "", point = "", words = ""] = process.argv.slice(2);
const [when, step] = point.split(":");
let armed = false;
/** The answer is in the outbox by now: the sends from here on deliver it. */
let answered = false;
let steps = 0;

const app = await openApp({ version: "0", env: process.env, signal: new AbortController().signal });
const service = await app.gateway();
const lanes = Object.fromEntries(
  Object.entries(await service.lanes()).map(([name, method]) => [name, deadly(name, method as Step)]),
) as unknown as ChatLanes;
const gateway = new Gateway({
  app,
  service,
  lanes,
  cwd: process.cwd(),
  plans: [
    {
      name: "loopback-chat",
      label: "Loopback chat",
      plugin: "loopback-chat",
      emoji: "",
      hint: "",
      state: "ready",
      lacks: [],
      missing: [],
      settings: { enabled: true, extra: {} },
      homeChannel: undefined,
      load: async () => loopbackChat(() => port),
    },
  ],
  timing: { connectMs: 60_000, retryMs: 50 },
  changed: () => {},
});
await gateway.start();
process.stdout.write("serving\n");

type Step = (...given: readonly unknown[]) => Promise<unknown>;

function deadly(name: string, method: Step): Step {
  return async (...given) => {
    if (name === "receive")
      armed ||= when === "step" || (given[0] as { readonly message: { readonly text: string } }).message.text === words;
    const now = name === step && armed && (answered || !["sending", "sent"].includes(name));
    if (armed && name === "finish") answered = true;
    if ((when === "before" && now) || (when === "step" && armed && ++steps === Number(step))) await die();
    const result = await method(...given);
    if (when === "after" && now) await die();
    return result;
  };
}

async function die(): Promise<never> {
  process.kill(process.pid, "SIGKILL");
  return new Promise<never>(() => {});
}
