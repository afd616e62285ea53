export interface VariableText {
  readonly default: string;
  readonly meaning: string;
}

/** Variables that the program reads by name, beside those of settings and of plugins' manifests. A test holds the list to the code. */
export const READ_VARIABLES: { readonly [name: string]: VariableText } = {
  HERMES_HOME: { default: "`~/.hermes`", meaning: "The home: everything the agent keeps." },
  HERMES_NODE: {
    default: "",
    meaning: "The Node.js to run with, 24 or newer. Without it the launcher looks for one, and fetches one if need be.",
  },
  HERMES_CALLED_AS: {
    default: "",
    meaning: "Set by the launcher of a clone for itself: what was typed to start it. Next steps are told with it.",
  },
  HERMES_CLONE_BUILD: {
    default: "",
    meaning:
      "How a clone starts. `off`: from its sources. `use`: from a build that matches the sources if there is one, but make none for later starts.",
  },
  HERMES_MODEL: { default: "", meaning: "Former name of `HERMES_INFERENCE_MODEL`; that one counts when both are set." },
  HERMES_IGNORE_USER_CONFIG: { default: "off", meaning: "`1`, `true`, `yes` or `on`: as `--ignore-user-config`." },
  HERMES_YOLO_MODE: { default: "off", meaning: "`1`, `true`, `yes` or `on`: as `chat --yolo`." },
  HERMES_IGNORE_RULES: { default: "off", meaning: "`1`, `true`, `yes` or `on`: as `chat --ignore-rules`." },
  HERMES_SAFE_MODE: { default: "off", meaning: "`1`, `true`, `yes` or `on`: as `--safe-mode`." },
  HERMES_PROFILE: { default: "", meaning: "Set for plugins in processes of their own: the profile that is active." },
  HERMES_PLUGINS_DEBUG: {
    default: "off",
    meaning: "Anything but `0`: what is found, judged and loaded of plugins is told on stderr.",
  },
  HERMES_ENABLE_PROJECT_PLUGINS: {
    default: "off",
    meaning:
      "Plugins in `.hermes/plugins` of the working directory are looked for; each runs once `hermes plugins enable NAME` trusted what lies there.",
  },
  HERMES_BUNDLED_SKILLS: {
    default: "those that ship",
    meaning: "Folder of the skills that are copied into a new home.",
  },
  HERMES_BUNDLED_PLUGINS: { default: "those that ship", meaning: "Folders of bundled plugins, separated like `PATH`." },
  OPENAI_BASE_URL: {
    default: "",
    meaning: "Chooses no endpoint. When it is set and `model.base_url` is not, a line says so.",
  },
  API_SERVER_KEY: { default: "", meaning: "The key of the [API server](../api-server.md), which it switches on." },
  API_SERVER_ENABLED: {
    default: "",
    meaning: "Anything but `1`, `true`, `yes` or `on` keeps the API server off although it has a key.",
  },
  API_SERVER_HOST: { default: "`127.0.0.1`", meaning: "The address it listens on." },
  API_SERVER_PORT: { default: "`8642`", meaning: "Its port; 0 takes a free one." },
  API_SERVER_CORS_ORIGINS: { default: "", meaning: "Origins whose pages may ask it, separated by commas." },
  API_SERVER_MODEL_NAME: {
    default: "the profile's name, or `hermes-agent`",
    meaning: "What it calls the agent as a model.",
  },
  NO_COLOR: { default: "", meaning: "Set: no colours." },
  FORCE_COLOR: { default: "", meaning: "Set: colours where there would be none. `NO_COLOR` is stronger." },
  VISUAL: { default: "", meaning: "Editor of `hermes config edit`." },
  EDITOR: { default: "", meaning: "The same, when `VISUAL` is not set." },
  HOME: { default: "the system's", meaning: "Your home directory: where `~` leads." },
  XDG_CACHE_HOME: {
    default: "`~/.cache`",
    meaning: "Where a fetched Node.js and the compile cache lie, in `hermes-agent/`.",
  },
  PATH: { default: "", meaning: "Where programs are looked for." },
};

/** Variables that the program sets for the commands it runs. */
export const SET_VARIABLES: { readonly [name: string]: string } = {
  HERMES_TERMINAL: "Marks every process of a terminal, so that none is left behind.",
  HERMES_RL_RUN: "Set for the programs of a [training run](../rl-training.md): its number.",
  HERMES_TASK_ID: "The task whose terminal a process was started from.",
  HERMES_AGENT_HOME: "Home of the agent whose terminal a process was started from: `hermes ps` lists those of its own.",
  HERMES_RUN: "Marks the processes of one command, so that all of them can be stopped.",
};
