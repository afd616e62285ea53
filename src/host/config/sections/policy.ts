import type { Setting, Settings } from "../setting.ts";

const USD = { type: "number", minimum: 0 } as const;
const NAMES = { type: "array", items: { type: "string" } } as const;
const WORDS = { type: "array", items: { type: "string" } } as const;
/** A rule, alone or with commands it must and must not cover. */
const RULES: Setting = {
  type: "array",
  items: {
    type: ["string", "object"],
    properties: { rule: { type: "string" }, examples: { type: "object", properties: { allow: WORDS, deny: WORDS } } },
    required: ["rule"],
  },
};
/** A rule that allows may have an end date. */
const ALLOWING: Setting = {
  type: "array",
  items: { ...RULES.items, properties: { ...RULES.items!.properties, until: { type: "string" } } },
};
const NAMES_OR_NULL: Setting = { ...NAMES };

/**
 * What the agent may do. If the file has any error, the last valid values of these stay in force. Owners: approval,
 * redaction, plugins.
 */
export const POLICY_SETTINGS: Settings = {
  budgets: {
    type: "object",
    properties: {
      request: {
        ...USD,
        description: "USD that one request to a model may cost; its answer is cut to that. Unset: no limit.",
      },
      turn: { ...USD, description: "USD that a turn may cost, with its subagents. Unset: no limit." },
      session: { ...USD, description: "USD that a session, a job's run or a batch run may cost. Unset: no limit." },
      job: { ...USD, description: "USD that a run of a scheduled job or a batch run may cost. Unset: no limit." },
      user: { ...USD, description: "USD that each chat user other than the owner may cost per day. Unset: no limit." },
      day: { ...USD, description: "USD that all requests of this home may cost per day. Unset: no limit." },
      month: { ...USD, description: "USD that all requests of this home may cost per month. Unset: no limit." },
    },
  },
  approvals: {
    type: "object",
    properties: {
      mode: {
        enum: ["manual", "smart", "off"],
        default: "manual",
        description:
          "Decision about a risky call: by the user (`manual`), by a model and then the user (`smart`), or none (`off`: it runs).",
      },
      timeout: {
        type: "number",
        minimum: 1,
        default: 60,
        description: "Seconds the user has to decide in a chat, an editor or over the API; then the call is denied.",
      },
      terminal_timeout: {
        type: "number",
        minimum: 1,
        default: 1800,
        description: "Seconds the user has to decide at a terminal, which rings and notifies; then the call is denied.",
      },
      deny: {
        ...RULES,
        default: [],
        description: "Commands, paths and addresses that are always refused, as patterns with `*`.",
      },
      always_days: {
        type: "number",
        minimum: 0,
        default: 0,
        description: "Days after which a rule from an answer of `always` expires; 0: never.",
      },
      cron_mode: {
        enum: ["deny", "approve"],
        default: "deny",
        description: "Decision about a risky call in a scheduled run.",
      },
      platforms: {
        type: "object",
        default: {},
        description: "Approval modes for single surfaces: `telegram: deny`.",
        additionalProperties: { enum: ["manual", "smart", "off", "deny"] },
      },
      destructive_slash_confirm: { unused: true },
      mcp_reload_confirm: { unused: true },
      gateway_timeout: { unused: true },
    },
  },
  command_allowlist: {
    ...ALLOWING,
    default: [],
    description: "Rules for calls that need no approval; an answer of `always` adds one.",
  },
  security: {
    type: "object",
    properties: {
      redact_secrets: {
        type: "boolean",
        default: true,
        env: "HERMES_REDACT_SECRETS",
        description: "Mask secrets in output, logs and requests.",
      },
      allow_private_urls: {
        type: "boolean",
        default: false,
        env: "HERMES_ALLOW_PRIVATE_URLS",
        description: "Let web tools connect to private addresses.",
      },
      proxy_resolves_names: {
        type: "boolean",
        default: false,
        description:
          "Send names to the configured proxy, for networks where only the proxy can resolve them. Hermes then cannot check the addresses behind a name.",
      },
      secret_handles: {
        type: "object",
        default: {},
        description: "Secrets that a model may use as `secret://NAME` without seeing their values, by name.",
        additionalProperties: {
          type: "object",
          properties: {
            tools: { ...NAMES, description: "Tools that may use this secret." },
            hosts: { ...NAMES, description: "Hosts that may receive this secret, over https." },
            commands: {
              ...NAMES,
              description:
                "Commands that get this secret in their environment without approval: exact, or a pattern with `*` and `?` for a single command.",
            },
          },
        },
      },
      website_blocklist: {
        type: "object",
        description: "Sites that are never fetched.",
        properties: {
          enabled: { type: "boolean", default: false, description: "Enable the list." },
          domains: {
            ...NAMES,
            default: [],
            description: "`example.com` covers its subdomains, too; `*.example.com` works as well.",
          },
          shared_files: {
            ...NAMES,
            default: [],
            description: "Files with one such rule per line. If one cannot be read, nothing is fetched.",
          },
        },
      },
      tirith_enabled: { unused: true },
      tirith_path: { unused: true },
      tirith_timeout: { unused: true },
      tirith_fail_open: { unused: true },
      acked_advisories: { unused: true },
      allow_lazy_installs: {
        type: "boolean",
        default: true,
        description: "Let Hermes install packages that a feature needs into the agent's home, if you agree.",
      },
      approval: { unused: true },
    },
  },
  hooks: {
    type: ["array", "object", "null"],
    default: [],
    description: "Commands to run at hooks: a list with event, command and conditions, or a map of events.",
  },
  hooks_auto_accept: {
    type: "boolean",
    default: false,
    env: "HERMES_ACCEPT_HOOKS",
    description: "Run shell hooks without asking for consent.",
  },
  sandbox: {
    type: "object",
    properties: {
      mode: {
        enum: ["auto", "on", "off"],
        default: "off",
        env: "HERMES_SANDBOX",
        description:
          "Run commands on this machine in a sandbox: if one is available (`auto`), always or not at all (`on`), never (`off`).",
      },
      network: {
        enum: ["open", "proxy", "off"],
        default: "open",
        description: "Network access in the sandbox: everything, public addresses through a guarded proxy, or nothing.",
      },
      hosts: {
        ...NAMES,
        default: [],
        description:
          "With `network: proxy`, the only hosts that commands may contact (`github.com` covers its subdomains). Empty: all public hosts.",
      },
      write: {
        ...NAMES,
        default: [],
        description:
          "Folders that commands may write in addition to the task's folder, temporary folders and package caches.",
      },
      read: {
        ...NAMES,
        default: [],
        description: "Files and folders with secrets that commands may read nevertheless: `~/.npmrc`, `.env`.",
      },
    },
  },
  plugins: {
    type: "object",
    // Plugins of the original have their settings here: `plugins.NAME`.
    additionalProperties: { type: "object" },
    properties: {
      enabled: {
        ...NAMES_OR_NULL,
        default: [],
        description: "Plugins of yours to run; bundled plugins run unless disabled.",
      },
      disabled: {
        ...NAMES_OR_NULL,
        default: [],
        description: "Plugins that never run; overrides every other setting.",
      },
      entries: {
        type: "object",
        default: {},
        description: "Settings of single plugins, by key.",
        additionalProperties: {
          type: "object",
          properties: {
            allow_tool_override: {
              type: ["boolean", "array"],
              items: { type: "string" },
              default: false,
              description:
                "Built-in tools that this plugin may replace, by name; `true`: all. `hermes plugins enable` asks you and writes the names.",
            },
            allow_tools: {
              ...NAMES_OR_NULL,
              description:
                "Tools that this plugin from elsewhere may call in addition to those its manifest requests. `hermes plugins grant` and your answer at its first call write the names.",
            },
            deny_tools: {
              ...NAMES_OR_NULL,
              description: "Tools that this plugin may never call; overrides `allow_tools` and its manifest.",
            },
            env: {
              ...NAMES,
              description: "Secret variables that this plugin gets in addition to those it declares.",
            },
            host: {
              type: "string",
              enum: ["apart", "here"],
              default: "apart",
              description:
                "Where your own TypeScript plugin runs: `apart`, in a separate process; `here`, in the agent's process. Plugins from elsewhere and Python plugins never run here.",
            },
            llm: {
              type: "object",
              default: {},
              description:
                "Limits for this plugin's own model requests. To allow other providers and models than yours, set `allow_provider_override` and `allow_model_override` to true, and list names in `allowed_providers` and `allowed_models` (`*` for any). `token_budget` limits the tokens until the agent ends.",
              properties: {
                allow_provider_override: {
                  type: "boolean",
                  default: false,
                  description: "Let this plugin choose another provider than yours.",
                },
                allowed_providers: { ...NAMES_OR_NULL, description: "Providers that it may choose; unset: any." },
                allow_model_override: {
                  type: "boolean",
                  default: false,
                  description: "Let this plugin choose another model than yours.",
                },
                allowed_models: { ...NAMES_OR_NULL, description: "Models that it may choose; unset: any." },
                token_budget: {
                  type: "integer",
                  minimum: 0,
                  description: "Tokens that its requests may use until the agent ends; unset: no limit.",
                },
                allow_agent_id_override: { unused: true },
                allow_profile_override: { unused: true },
              },
            },
          },
          additionalProperties: {},
        },
      },
      cooling_off_hours: {
        type: "number",
        minimum: 0,
        default: 72,
        description: "Minimum age of npm package versions to install, in hours; 0: no minimum.",
      },
      memory_mb: {
        type: "integer",
        minimum: 64,
        maximum: 1_048_576,
        description:
          "Memory limit for a process that runs plugins, in MB. Default: 4096 for Python, 512 of heap for Node.",
      },
      hook_callback_timeout: { unused: true },
      scan_on_install: { unused: true },
      auto_update_check_hours: { unused: true },
      auto_apply: { unused: true },
    },
  },
};

/** Sections that decide what is allowed. */
export const POLICY_SECTIONS: readonly string[] = [...Object.keys(POLICY_SETTINGS), "delegation"];
