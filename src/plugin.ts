/**
 * The public door: everything a plugin may use, and nothing else. Ours come in by it too.
 * `import { defineTool, type Plugin } from "hermes-agent/plugin"`
 */
export * from "./contract/approval.ts";
export * from "./contract/availability.ts";
export * from "./contract/browser-provider.ts";
export * from "./contract/browser-return.ts";
export * from "./contract/chat-message.ts";
export * from "./contract/check.ts";
export * from "./contract/clock.ts";
export * from "./contract/command.ts";
export * from "./contract/context-engine.ts";
export * from "./contract/effect.ts";
export * from "./contract/fact.ts";
export * from "./contract/failure.ts";
export type { ChatAddress, ChatPost, Destination } from "./contract/gateway-desk.ts";
export * from "./contract/held-tool.ts";
export * from "./contract/hook.ts";
export * from "./contract/is-object.ts";
export * from "./contract/job.ts";
export * from "./contract/json.ts";
export * from "./contract/logger.ts";
export * from "./contract/ask-about-picture.ts";
export * from "./contract/media.ts";
export * from "./contract/memory.ts";
export * from "./contract/model-profile.ts";
export * from "./contract/model.ts";
export { nearest } from "./contract/nearest.ts";
export * from "./contract/oauth-step.ts";
export * from "./contract/outcome.ts";
export * from "./contract/part.ts";
export * from "./contract/platform.ts";
export * from "./contract/plugin.ts";
export * from "./contract/provide-terminal.ts";
export * from "./contract/provider.ts";
export * from "./contract/question.ts";
export * from "./contract/parse-exact.ts";
export * from "./contract/quoted.ts";
export * from "./contract/schema.ts";
export * from "./contract/session-desk.ts";
export * from "./contract/session.ts";
export * from "./contract/skill.ts";
export * from "./contract/slot.ts";
export * from "./contract/slot-name.ts";
export * from "./contract/store.ts";
export * from "./contract/subagent.ts";
export * from "./contract/terminal.ts";
export * from "./contract/tool.ts";
export * from "./contract/toolset.ts";
export * from "./contract/web-provider.ts";
export * from "./contract/web.ts";
export * from "./contract/wrong-words.ts";
export {
  DANGEROUS_PATTERNS,
  detectDangerousCommand,
  judgeCommand,
  riskOfCommand,
  type CommandContext as ShellContext,
  type CommandEffect,
  type CommandJudgement,
} from "./safety/command.ts";
export { foreignWords, shownPath, wordsOfHost } from "./safety/foreign-words.ts";
export { plantedWords } from "./safety/planted-words.ts";
export { commandMatches } from "./safety/rules.ts";
export { pythonCommand } from "./safety/python-text.ts";
export { absolutePath } from "./safety/absolute-path.ts";
export { followLinks } from "./safety/follow-links.ts";
export { picturePlace, type PicturePlace } from "./safety/picture-place.ts";
export { judgePath, type PathJudgement, type PathQuestion } from "./safety/paths.ts";
export { credentialPaths, isProjectEnv, within, zonesOf, type Zone } from "./safety/path-zones.ts";
export {
  judgeAddresses,
  judgeUrl,
  type UrlBlocked,
  type UrlJudgement,
  type UrlPolicy,
  type UrlRefusal,
} from "./safety/urls/judge-url.ts";
export { isOutsideWorkspace, holdsInstructions, hostOf, isLoopback } from "./safety/workspace.ts";
export { makeVisible, stripTerminal, withoutLogin } from "./safety/visible.ts";
