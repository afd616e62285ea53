import type { Plugin } from "hermes-agent/plugin";
import { homeAssistantPlatform } from "./home-assistant-platform.ts";

const register: Plugin = (ctx) => {
  ctx.register_platform(homeAssistantPlatform(ctx));
};

export default register;
