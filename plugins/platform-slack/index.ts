import type { Plugin } from "hermes-agent/plugin";
import { slackPlatform } from "./slack-platform.ts";

const register: Plugin = (ctx) => {
  ctx.register_platform(slackPlatform(ctx));
};

export default register;
