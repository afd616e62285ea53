import type { Setting, Settings } from "../setting.ts";

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
/** One that allows may end. */
const ALLOWING: Setting = {
  type: "array",
  items: { ...RULES.items, properties: { ...RULES.items!.properties, until: { type: "string" } } },
};
const NAMES_OR_NULL: Setting = { ...NAMES };

/** What the agent may do. A file that is wrong anywhere leaves the last good one of these in force. Owners: approval, redaction, plugins. */
export const POLICY_SETTINGS: Settings = {
  approvals: {
    type: "object",
    properties: {
      mode: {
        enum: ["manual", "smart", "off"],
        default: "manual",
        description: "Who decides about a risky call: a person, a model and then a person, or nobody (`off`).",
      },
      timeout: {
        type: "number",
        minimum: 1,
        default: 60,
        description: "Seconds a person has to decide; then the answer is no.",
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
        description: "Days that a rule holds which an answer of `always` writes; 0: until it is taken out.",
      },
      cron_mode: {
        enum: ["deny", "approve"],
        default: "deny",
        description: "What a scheduled run does with a risky call.",
      },
      platforms: {
        type: "object",
        default: {},
        description: "Another mode for single surfaces: `telegram: deny`.",
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
    description: "Rules that need no question any more; written by an answer of `always`.",
  },
  security: {
    type: "object",
    properties: {
      redact_secrets: {
        type: "boolean",
        default: true,
        env: "HERMES_REDACT_SECRETS",
        description: "Mask secrets in what is shown, logged and sent.",
      },
      allow_private_urls: {
        type: "boolean",
        default: false,
        env: "HERMES_ALLOW_PRIVATE_URLS",
        description: "Let web tools reach private addresses.",
      },
      secret_handles: {
        type: "object",
        default: {},
        description: "Secrets that a model may use without seeing them, as `secret://NAME`, by name.",
        additionalProperties: {
          type: "object",
          properties: {
            tools: { ...NAMES, description: "Only in these tools." },
            hosts: { ...NAMES, description: "Sent to these hosts, over https." },
            commands: {
              ...NAMES,
              description:
                "In the environment of these commands without a question: exact, or with `*` and `?` for single ones.",
            },
          },
        },
      },
      website_blocklist: {
        type: "object",
        description: "Sites that are never fetched.",
        properties: {
          enabled: { type: "boolean", default: false, description: "The list is in force." },
          domains: { ...NAMES, default: [], description: "`example.com` and all below it, or `*.example.com`." },
          shared_files: {
            ...NAMES,
            default: [],
            description: "Files with one such rule a line. One that cannot be read stops all fetching.",
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
        description: "Whether a package that something needs may be installed into the agent's home, after a question.",
      },
      approval: { unused: true },
    },
  },
  hooks: {
    type: ["array", "object", "null"],
    default: [],
    description: "Commands that run when something happens: a list of event, command and when, or a map of events.",
  },
  hooks_auto_accept: {
    type: "boolean",
    default: false,
    env: "HERMES_ACCEPT_HOOKS",
    description: "Shell hooks run without being asked about once.",
  },
  sandbox: {
    type: "object",
    properties: {
      mode: {
        enum: ["auto", "on", "off"],
        default: "off",
        env: "HERMES_SANDBOX",
        description:
          "Commands on this machine run in a sandbox: where there is one (`auto`), always or not at all (`on`), never (`off`).",
      },
      network: {
        enum: ["open", "proxy", "off"],
        default: "open",
        description: "What they reach from there: everything, public addresses through a guarded proxy, or nothing.",
      },
      hosts: {
        ...NAMES,
        default: [],
        description:
          "With the network `proxy`: hosts (`github.com` and what is below it) that alone are reached. Empty: all public ones.",
      },
      write: {
        ...NAMES,
        default: [],
        description: "Folders they may write besides the task's own, temporary ones and package caches.",
      },
      read: {
        ...NAMES,
        default: [],
        description: "Files and folders they may read although they hold secrets: `~/.npmrc`, `.env`.",
      },
    },
  },
  plugins: {
    type: "object",
    properties: {
      enabled: {
        ...NAMES_OR_NULL,
        default: [],
        description: "Plugins of yours that run; bundled ones run unless disabled.",
      },
      disabled: { ...NAMES_OR_NULL, default: [], description: "Plugins that do not run, whatever else says so." },
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
                "Built-in tools it may replace, by name; `true`: all. `hermes plugins enable` asks and writes the names.",
            },
            env: {
              ...NAMES,
              description:
                "Secret variables it is given although it does not declare them. What it declares it is given anyway.",
            },
            host: {
              type: "string",
              enum: ["apart", "here"],
              default: "apart",
              description:
                "Where a plugin of your own in TypeScript runs: `apart` in a process beside the agent, `here` in the agent's own. Those from elsewhere, and Python, never run here.",
            },
            llm: {
              type: "object",
              default: {},
              description:
                "What it may do with requests of its own to models. Others than yours: `allow_provider_override`, `allow_model_override` (true or false), and `allowed_providers`, `allowed_models` (lists, `*` for any). `token_budget` bounds what they use while the agent runs.",
              properties: {
                allow_provider_override: {
                  type: "boolean",
                  default: false,
                  description: "It may choose another provider than yours.",
                },
                allowed_providers: { ...NAMES_OR_NULL, description: "Only these; absent: any." },
                allow_model_override: {
                  type: "boolean",
                  default: false,
                  description: "It may choose another model than yours.",
                },
                allowed_models: { ...NAMES_OR_NULL, description: "Only these; absent: any." },
                token_budget: {
                  type: "integer",
                  minimum: 0,
                  description: "Tokens that its requests may use while the agent runs; absent: no bound.",
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
        description: "Versions of npm packages that are younger are not installed; 0: all are.",
      },
      memory_mb: {
        type: "integer",
        minimum: 64,
        maximum: 1_048_576,
        description:
          "Memory that a process of plugins may hold, in MB. Unless set: 4096 for Python, 512 of heap for Node.",
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
