import type { Plugin } from "hermes-agent/plugin";
import { discordPlatform } from "./discord-platform.ts";

const register: Plugin = (ctx) => {
  ctx.register_platform(discordPlatform(ctx));
};

export default register;
