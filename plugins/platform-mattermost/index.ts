import type { Plugin } from "hermes-agent/plugin";
import { mattermostPlatform } from "./mattermost-platform.ts";

const register: Plugin = (ctx) => {
  ctx.register_platform(mattermostPlatform(ctx));
};

export default register;
