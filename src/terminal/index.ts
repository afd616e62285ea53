/** The door for backends, `hermes-agent/terminal`: what every place shares, so that a backend is "start a shell there". */
export * from "./carried-channel.ts";
export * from "./carrier-script.ts";
export * from "./channel.ts";
export * from "./channel-shell.ts";
export * from "./client-program.ts";
export * from "./declared-variables.ts";
export * from "./kept-terminal.ts";
export * from "./kept-terminals.ts";
export * from "./place-files.ts";
export { RESIZE, resizeCall } from "./pseudo-terminal.ts";
export * from "./random-hex.ts";
export * from "./shell.ts";
export * from "./shell-script.ts";
export * from "./stop-request.ts";
export * from "./task-place.ts";
export * from "./terminal-sync.ts";
