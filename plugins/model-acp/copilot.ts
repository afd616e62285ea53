/** An agent used as a model: its program, and advice for errors. */
export interface AgentService {
  readonly id: string;
  readonly label: string;
  readonly aliases: readonly string[];
  /** Variables that may name the program; the first set one wins. */
  readonly commandEnv: readonly string[];
  readonly command: string;
  readonly argsEnv: string;
  readonly args: readonly string[];
  readonly baseUrlEnv: string;
  readonly baseUrl: string;
  /** The model name that lets the agent choose. */
  readonly ownModel: string;
  /** How to install the program, and how to sign in; each is part of a sentence. */
  readonly install: string;
  readonly signIn: string;
  /** Environment variables that locate its sign-in and are not secret. */
  readonly passed: readonly string[];
}

export const COPILOT: AgentService = {
  id: "copilot-acp",
  label: "GitHub Copilot ACP",
  aliases: ["github-copilot-acp", "copilot-acp-agent"],
  commandEnv: ["HERMES_COPILOT_ACP_COMMAND", "COPILOT_CLI_PATH"],
  command: "copilot",
  argsEnv: "HERMES_COPILOT_ACP_ARGS",
  args: ["--acp", "--stdio"],
  baseUrlEnv: "COPILOT_ACP_BASE_URL",
  baseUrl: "acp://copilot",
  ownModel: "copilot-acp",
  install: "Install GitHub Copilot CLI with `npm install -g @github/copilot`",
  signIn: "run `copilot login` in a terminal",
  passed: ["COPILOT_HOME", "DBUS_SESSION_BUS_ADDRESS"],
};
