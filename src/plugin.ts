/**
 * The public plugin API: everything a plugin may use, and nothing else. Bundled plugins import it too. `import {
 * defineTool, type Plugin } from "hermes-agent/plugin"`
 */
export * from "./contract/tools/approval.ts";
export * from "./contract/tools/assessment.ts";
export * from "./contract/common/availability.ts";
export * from "./contract/providers/browser-provider.ts";
export * from "./contract/providers/browser-return.ts";
export * from "./contract/conversation/chat-message.ts";
export * from "./contract/common/check.ts";
export * from "./contract/common/clock.ts";
export * from "./contract/conversation/command.ts";
export * from "./contract/conversation/pick-list.ts";
export * from "./contract/providers/context-engine.ts";
export * from "./contract/common/defined-fields.ts";
export * from "./contract/tools/effect.ts";
export * from "./contract/conversation/fact.ts";
export * from "./contract/common/failure.ts";
export type { ChatAddress, ChatPost, Destination } from "./contract/services/gateway-service.ts";
export * from "./contract/tools/deferred-tool.ts";
export * from "./contract/plugins/hook.ts";
export * from "./contract/common/is-object.ts";
export * from "./contract/services/job.ts";
export * from "./contract/common/json.ts";
export * from "./contract/common/logger.ts";
export * from "./contract/providers/ask-about-picture.ts";
export * from "./contract/providers/media.ts";
export * from "./contract/providers/memory.ts";
export * from "./contract/providers/model-profile.ts";
export * from "./contract/providers/model.ts";
export { nearest } from "./contract/common/nearest.ts";
export * from "./contract/conversation/oauth-step.ts";
export * from "./contract/tools/outcome.ts";
export * from "./contract/conversation/part.ts";
export * from "./contract/providers/platform.ts";
export * from "./contract/providers/platform-offers.ts";
export * from "./contract/providers/webhook-route.ts";
export * from "./contract/plugins/compat-context.ts";
export * from "./contract/plugins/plugin.ts";
export * from "./contract/plugins/provide-terminal.ts";
export * from "./contract/plugins/provider.ts";
export * from "./contract/conversation/question.ts";
export * from "./contract/common/parse-exact.ts";
export * from "./contract/common/quoted.ts";
export * from "./contract/common/schema.ts";
export {
  decodeBytes,
  encodeString,
  encodingName,
  readableText,
  UTF_8,
  type DecodedBytes,
  type TextEncoding,
} from "./contract/common/text-encoding.ts";
export * from "./contract/services/session-service.ts";
export * from "./contract/conversation/session.ts";
export * from "./contract/plugins/skill.ts";
export * from "./contract/plugins/slot.ts";
export * from "./contract/plugins/slot-name.ts";
export * from "./contract/conversation/store.ts";
export * from "./contract/conversation/subagent.ts";
export * from "./contract/conversation/todo-state.ts";
export * from "./contract/providers/terminal.ts";
export * from "./contract/tools/tool.ts";
export * from "./contract/tools/toolset.ts";
export { wellFormed, wellFormedCalls, wellFormedJson } from "./contract/common/well-formed.ts";
export * from "./contract/providers/web-provider.ts";
export * from "./contract/providers/web.ts";
export * from "./contract/common/argument-error.ts";
export {
  DANGEROUS_PATTERNS,
  detectDangerousCommand,
  judgeCommand,
  riskOfCommand,
  type CommandContext as ShellContext,
  type CommandEffect,
  type CommandJudgement,
} from "./safety/commands/command.ts";
export { untrustedSource, shownPath, wordsOfHost } from "./safety/text/untrusted-source.ts";
export { plantedWords } from "./safety/text/injected-instructions.ts";
export { commandMatches } from "./safety/commands/rules.ts";
export { pythonCommand } from "./safety/commands/python-text.ts";
export { absolutePath, homeInPasswords } from "./safety/paths/absolute-path.ts";
export { followLinks } from "./safety/paths/follow-links.ts";
export { picturePlace, type PicturePlace } from "./safety/paths/image-source.ts";
export { judgePath, type PathJudgement, type PathQuestion } from "./safety/paths/paths.ts";
export { credentialPaths, isProjectEnv, within, zonesOf, type Zone } from "./safety/paths/path-zones.ts";
export {
  judgeAddresses,
  judgeUrl,
  type UrlBlocked,
  type UrlJudgement,
  type UrlPolicy,
  type UrlRefusal,
} from "./safety/urls/judge-url.ts";
export { chooseProxy, type ProxyChoice } from "./safety/urls/proxy-choice.ts";
export {
  isOutsideWorkspace,
  holdsInstructions,
  instructsOthers,
  hostOf,
  isLoopback,
} from "./safety/paths/workspace.ts";
export { makeVisible, stripTerminal, withoutLogin } from "./safety/text/visible.ts";
