import type { Plugin } from "hermes-agent/plugin";
import { ircPlatform } from "./irc-platform.ts";

const register: Plugin = (ctx) => {
  ctx.register_platform(ircPlatform((name) => ctx.env(name), ctx.log));
};

export default register;
