/**
 * The door for backends, `hermes-agent/terminal`: what every place shares, so that a backend is "start a shell there".
 */
export * from "./carrier/carried-channel.ts";
export * from "./carrier/carrier-script.ts";
export * from "./shell/channel.ts";
export * from "./shell/channel-shell.ts";
export * from "./backend/client-program.ts";
export * from "./backend/declared-variables.ts";
export * from "./shell/drain-script.ts";
export * from "./backend/fetch-picture.ts";
export { HAS_DETACHED_PROCESS } from "./shell/process-script.ts";
export * from "./output/keep-newest.ts";
export * from "./backend/detached-process.ts";
export * from "./backend/persistent-terminal.ts";
export * from "./backend/persistent-terminals.ts";
export * from "./program/line-program.ts";
export * from "./backend/backend-files.ts";
export * from "./program/plain-environment.ts";
export * from "./output/plain-text.ts";
export { RESIZE, resizeCall } from "./program/pseudo-terminal.ts";
export * from "./shell/random-hex.ts";
export * from "./program/run-program.ts";
export * from "./shell/shell.ts";
export * from "./shell/shell-script.ts";
export type { ChannelShellOptions } from "./shell/shell-talk.ts";
export * from "./shell/stop-request.ts";
export * from "./backend/task-environment.ts";
export type { StartFrom } from "./backend/terminal-shells.ts";
export * from "./backend/terminal-sync.ts";
export * from "./backend/visit-environment.ts";
export * from "./backend/where-line.ts";
