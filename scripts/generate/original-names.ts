/** Names of the original (0.19, and its founding documents), for the comparison in docs/from-the-original.md. */
export const ORIGINAL: {
  readonly [
    Kind in "commands" | "slash" | "platforms" | "protocols" | "web" | "images" | "videos" | "memory" | "speech"
  ]: readonly string[];
} = {
  commands: words(`
    chat model setup portal fallback auth login logout secrets gateway proxy send cron kanban webhook pairing hooks mcp
    plugins skills bundles curator profile memory tools acp doctor dump debug logs config sessions insights status backup
    import checkpoints security lsp computer-use dashboard serve claw whatsapp whatsapp-cloud slack completion update
    uninstall moa project migrate journey pets console desktop prompt-size postinstall version
  `),
  slash: words(`
    new topic clear redraw history save retry prompt undo title handoff branch compress rollback snapshot stop approve deny
    background agents journey queue steer goal moa subgoal status sethome resume sessions restart config model
    codex-runtime personality statusbar timestamps verbose footer yolo reasoning fast skin indicator voice busy tools
    toolsets skills memory bundles pet hatch learn cron suggestions blueprint curator kanban reload reload-mcp
    reload-skills browser plugins whoami profile commands help usage subscription topup insights platforms platform copy
    paste image update version debug quit
  `),
  /** Besides those that a toolset is named after. */
  platforms: ["irc", "teams", "line", "ntfy", "google_chat", "simplex"],
  protocols: ["chat_completions", "codex_responses", "anthropic_messages", "bedrock_converse"],
  web: ["brave-free", "ddgs", "exa", "firecrawl", "parallel", "searxng", "tavily", "xai"],
  images: ["fal", "openai", "openai-codex", "xai", "krea", "openrouter", "deepinfra"],
  videos: ["fal", "xai", "deepinfra"],
  memory: ["honcho", "openviking", "mem0", "hindsight", "holographic", "retaindb", "byterover", "supermemory"],
  speech: ["edge", "elevenlabs", "openai", "minimax", "mistral", "gemini", "xai", "neutts", "kittentts", "piper"],
};

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
