import type { Plugin } from "hermes-agent/plugin";
import { emailPlatform } from "./email-platform.ts";

const register: Plugin = (ctx) => {
  ctx.register_platform(emailPlatform(ctx));
};

export default register;
