import type { Platform, Plugin } from "hermes-agent/plugin";
import { LoopbackAdapter } from "./loopback-adapter.ts";

/** @param env A declared variable. */
export function loopbackChat(env: (name: string) => string | undefined): Platform {
  const port = (): number => Number(env("LOOPBACK_CHAT_PORT") ?? "");
  return {
    name: "loopback-chat",
    label: "Loopback chat",
    adapter_factory: (config) => new LoopbackAdapter(port(), config),
    check_fn: () => port() > 0,
    required_env: ["LOOPBACK_CHAT_PORT"],
    env_enablement_fn: () => (port() > 0 ? { port: port() } : null),
    cron_deliver_env_var: "LOOPBACK_CHAT_HOME_CHANNEL",
    emoji: "🔁",
    max_caption_length: 200,
    platform_hint: "You are chatting over a plain line. Keep answers short.",
  };
}

const register: Plugin = (ctx) => {
  ctx.register_platform(loopbackChat((name) => ctx.env(name)));
};

export default register;
