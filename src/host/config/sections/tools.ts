import type { Settings } from "../setting.ts";

const NAMES = { type: "array", items: { type: "string" } } as const;

/** Which tools there are and how much they may say. Owner: toolsets and dispatch. */
export const TOOL_SETTINGS: Settings = {
  toolsets: {
    ...NAMES,
    default: ["hermes-cli"],
    description: "Toolsets that are on where a platform has no list of its own.",
  },
  platform_toolsets: {
    type: "object",
    additionalProperties: NAMES,
    default: {},
    description: "Toolsets by platform: `cli`, `telegram`, ...",
  },
  known_plugin_toolsets: {
    type: "object",
    additionalProperties: NAMES,
    description: "Plugin toolsets a platform has been asked about.",
  },
  custom_toolsets: {
    type: "object",
    default: {},
    description: "Toolsets of your own, by name.",
    additionalProperties: {
      type: "object",
      properties: {
        description: { type: "string", description: "What it is for." },
        tools: { ...NAMES, description: "Tools in it." },
        includes: { ...NAMES, description: "Toolsets in it." },
      },
    },
  },
  tools: {
    type: "object",
    properties: {
      tool_search: {
        type: "object",
        properties: {
          enabled: {
            enum: ["auto", "on", "off", true, false],
            default: "auto",
            description:
              "Whether tools outside the core list, and seldom used ones in it, are held back from requests, to be found by `tool_search`; `auto`: when they would take too much.",
          },
          threshold_pct: {
            type: "number",
            minimum: 0,
            maximum: 100,
            default: 10,
            description:
              "`auto`: share of what the model can read that they may take, and never more than 8,000 tokens.",
          },
          search_default_limit: {
            type: "integer",
            minimum: 1,
            maximum: 50,
            default: 5,
            description: "Tools that one search finds.",
          },
          max_search_limit: {
            type: "integer",
            minimum: 1,
            maximum: 50,
            default: 20,
            description: "Most that a search may ask for.",
          },
        },
      },
    },
  },
  web: {
    type: "object",
    properties: {
      backend: {
        type: "string",
        default: "",
        description: "Plugin that searches the web and reads pages; empty is the first that can.",
      },
      search_backend: { type: "string", default: "", description: "Plugin that searches, where it is another one." },
      extract_backend: {
        type: "string",
        default: "",
        description: "Plugin that reads pages, where it is another one.",
      },
      extract_char_limit: {
        type: "integer",
        minimum: 2000,
        maximum: 500_000,
        default: 15_000,
        description: "Longest page that is shown whole.",
      },
    },
  },
  image_gen: {
    type: "object",
    additionalProperties: true,
    properties: {
      provider: {
        type: "string",
        default: "",
        description: "Plugin that makes pictures; empty is the only one there is.",
      },
      model: { type: "string", default: "", description: "Its model; empty is the one it takes by itself." },
    },
  },
  video_gen: {
    type: "object",
    additionalProperties: true,
    properties: {
      provider: {
        type: "string",
        default: "",
        description: "Plugin that makes films; empty is the only one there is.",
      },
      model: { type: "string", default: "", description: "Its model; empty is the one it takes by itself." },
    },
  },
  tts: {
    type: "object",
    additionalProperties: true,
    description:
      "Speaking. A section of the voice's own name (`tts.openai`) holds its `voice`, `model`, `speed`, `base_url` and `max_text_length`.",
    properties: {
      provider: {
        type: "string",
        default: "",
        description:
          "The voice: `edge`, `elevenlabs`, `openai`, `minimax`, `mistral`, `gemini`, `xai`, `neutts`, `kittentts`, an entry of `tts.providers`, or a plugin's. `text_to_speech` is offered once it is set.",
      },
      speed: {
        type: "number",
        minimum: 0.25,
        maximum: 4,
        description: "How fast any voice speaks; 1 is its own pace.",
      },
      providers: {
        type: "object",
        description: "Commands of your own that speak, by name.",
        additionalProperties: {
          type: "object",
          properties: {
            type: { enum: ["command"], description: "What it is; it may be left out." },
            command: {
              type: "string",
              description:
                "Shell command with `{input_path}`, `{output_path}`, `{format}`, `{voice}`, `{model}`, `{speed}`.",
            },
            output_format: { enum: ["mp3", "wav", "ogg", "flac"], description: "The file it writes. Default mp3." },
            voice_compatible: { type: "boolean", description: "The tag of the result asks for a voice message." },
            voice: { type: "string", description: "`{voice}`." },
            model: { type: "string", description: "`{model}`." },
            speed: { type: "number", description: "`{speed}`." },
            timeout: { type: "number", minimum: 1, description: "Seconds it has. Default 120." },
            max_text_length: {
              type: "integer",
              minimum: 1,
              description: "Characters it is given at most. Default 5000.",
            },
          },
        },
      },
    },
  },
  stt: {
    type: "object",
    additionalProperties: true,
    description:
      "Understanding speech. A section of a service's own name (`stt.groq`) holds its `model`, `language` and `base_url`.",
    properties: {
      enabled: {
        type: "boolean",
        default: true,
        description: "Voice messages in chats are turned into text before the turn.",
      },
      echo_transcripts: { type: "boolean", default: true, description: "The chat is shown what was understood." },
      provider: {
        type: "string",
        default: "",
        description:
          "`local`, `local_command`, `groq`, `openai`, `mistral`, `xai`, or a plugin's; empty is the first of these that can.",
      },
      language: {
        type: "string",
        default: "",
        description: "Language that is spoken, as `en`; empty lets it be told.",
      },
    },
  },
  mcp_discovery_timeout: {
    type: "number",
    minimum: 0,
    maximum: 60,
    default: 1.5,
    description: "Seconds that a first conversation waits for MCP servers whose tools are not known yet.",
  },
  tool_output: {
    type: "object",
    properties: {
      max_bytes: { type: "integer", minimum: 1000, default: 50_000, description: "Kept output of a command." },
      max_lines: { type: "integer", minimum: 1, default: 2000, description: "Lines of a file that are read at once." },
      max_line_length: { unused: true },
    },
  },
  file_read_max_chars: {
    type: "integer",
    minimum: 1000,
    default: 100_000,
    description: "Longest text `read_file` gives at once.",
  },
};
