export interface VariableText {
  readonly default: string;
  readonly meaning: string;
}

/**
 * Variables that the program reads by name, in addition to those of settings and of plugins' manifests. A test compares
 * the list with the code.
 */
export const READ_VARIABLES: { readonly [name: string]: VariableText } = {
  HERMES_HOME: { default: "`~/.hermes`", meaning: "The home: the folder with all data of the agent." },
  HERMES_NODE: {
    default: "",
    meaning:
      "The Node.js to run with, 24 or newer. Without it, the launcher looks for one, and downloads one if necessary.",
  },
  HERMES_CALLED_AS: {
    default: "",
    meaning: "Set by the launcher of a clone: the command that the user typed. Messages use it in suggested commands.",
  },
  HERMES_CLONE_BUILD: {
    default: "",
    meaning:
      "How a clone starts. `off`: from its sources. `use`: from a build that matches the sources if there is one, but make none for later starts.",
  },
  HERMES_MODEL: { default: "", meaning: "Former name of `HERMES_INFERENCE_MODEL`, which wins if both are set." },
  HERMES_IGNORE_USER_CONFIG: { default: "off", meaning: "`1`, `true`, `yes` or `on`: as `--ignore-user-config`." },
  HERMES_YOLO_MODE: { default: "off", meaning: "`1`, `true`, `yes` or `on`: as `chat --yolo`." },
  HERMES_IGNORE_RULES: { default: "off", meaning: "`1`, `true`, `yes` or `on`: as `chat --ignore-rules`." },
  HERMES_SAFE_MODE: { default: "off", meaning: "`1`, `true`, `yes` or `on`: as `--safe-mode`." },
  HERMES_PROFILE: { default: "", meaning: "Set for plugins in separate processes: the active profile." },
  HERMES_PLUGINS_DEBUG: {
    default: "off",
    meaning: "Anything but `0`: print on stderr which plugins are found, checked and loaded.",
  },
  HERMES_ENABLE_PROJECT_PLUGINS: {
    default: "off",
    meaning:
      "Look for plugins in `.hermes/plugins` of the working directory; each runs after `hermes plugins enable NAME` trusted its content.",
  },
  HERMES_BUNDLED_SKILLS: {
    default: "the bundled ones",
    meaning: "Folder of the skills that Hermes copies into a new home.",
  },
  HERMES_BUNDLED_PLUGINS: {
    default: "the bundled ones",
    meaning: "Folders of bundled plugins, separated like `PATH`.",
  },
  OPENAI_BASE_URL: {
    default: "",
    meaning: "Does not select an endpoint. If it is set and `model.base_url` is not, a notice says so.",
  },
  API_SERVER_KEY: {
    default: "",
    meaning: "The key of the [API server](../api-server.md); setting it switches the server on.",
  },
  API_SERVER_ENABLED: {
    default: "",
    meaning: "Anything but `1`, `true`, `yes` or `on` keeps the API server off even if it has a key.",
  },
  API_SERVER_HOST: { default: "`127.0.0.1`", meaning: "The address that the API server listens on." },
  API_SERVER_PORT: { default: "`8642`", meaning: "The port of the API server; 0 takes a free one." },
  API_SERVER_CORS_ORIGINS: {
    default: "",
    meaning: "Origins whose pages may send requests to the API server, separated by commas.",
  },
  API_SERVER_MODEL_NAME: {
    default: "the profile's name, or `hermes-agent`",
    meaning: "The agent's name in the API server's list of models.",
  },
  NO_COLOR: { default: "", meaning: "If set: no colours." },
  FORCE_COLOR: { default: "", meaning: "If set: colours even in a pipe. `NO_COLOR` wins." },
  VISUAL: { default: "", meaning: "Editor of `hermes config edit`." },
  EDITOR: { default: "", meaning: "Editor of `hermes config edit` if `VISUAL` is not set." },
  HOME: { default: "the system's", meaning: "Your home directory, `~`." },
  XDG_CACHE_HOME: {
    default: "`~/.cache`",
    meaning: "The folder for a downloaded Node.js and the compile cache, in `hermes-agent/`.",
  },
  NODE_EXTRA_CA_CERTS: {
    default: "",
    meaning: "A file of certificate authorities (PEM) to trust besides the usual ones, also from `.env`.",
  },
  SSL_CERT_FILE: {
    default: "",
    meaning: "A file of certificate authorities (PEM), as in `NODE_EXTRA_CA_CERTS`; the name that other programs use.",
  },
  PATH: { default: "", meaning: "The folders in which Hermes looks for programs." },
};

/** Variables that the program sets for the commands it runs. */
export const SET_VARIABLES: { readonly [name: string]: string } = {
  HERMES_TERMINAL: "Marks every process of a terminal, so that Hermes can end all of them.",
  HERMES_PROGRAM:
    "Marks every process of a server or another program that Hermes talks to, so that Hermes can end all of them.",
  HERMES_RL_RUN: "Set for the programs of a [training run](../rl-training.md): its number.",
  HERMES_TASK_ID: "The task whose terminal a process was started from.",
  HERMES_AGENT_HOME:
    "Home of the agent whose terminal a process was started from: `hermes ps` lists the processes of its home.",
  HERMES_RUN: "Marks the processes of one command, so that all of them can be stopped.",
};
