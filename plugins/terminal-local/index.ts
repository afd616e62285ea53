import { provideTerminal, type Plugin } from "hermes-agent/plugin";
import type { Enclosure } from "./sandbox/enclosure.ts";

const register: Plugin = (ctx) => {
  let enclosure: Promise<Enclosure> | undefined;
  const enclose = () =>
    (enclosure ??= import("./sandbox/open-enclosure.ts").then((module) => module.openEnclosure(ctx)));
  // If the sandbox is off, none of its code is loaded.
  const unwanted = () => ctx.setting("sandbox.mode") === "off";
  const around = async (cwd: string) => (unwanted() ? undefined : (await enclose()).around(cwd));
  const sandbox = async () =>
    unwanted() ? ({ kind: "off", words: "sandbox.mode is off" } as const) : (await enclose()).state();
  provideTerminal(ctx, { id: "local", label: "this machine", isolated: false, sandbox }, async () => {
    const { LocalBackend } = await import("./local-backend.ts");
    return new LocalBackend(ctx.config, ctx.log, process.env, around, ctx.home);
  });
};

export default register;
