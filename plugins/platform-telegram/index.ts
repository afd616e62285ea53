import type { Plugin } from "hermes-agent/plugin";
import { telegramPlatform } from "./telegram-platform.ts";

const register: Plugin = (ctx) => {
  ctx.register_platform(telegramPlatform(ctx));
};

export default register;
