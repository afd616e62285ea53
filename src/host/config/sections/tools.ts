import type { Settings } from "../setting.ts";

const NAMES = { type: "array", items: { type: "string" } } as const;

/** Which tools there are and how much they may say. Owner: toolsets and dispatch. */
export const TOOL_SETTINGS: Settings = {
  toolsets: {
    ...NAMES,
    default: ["hermes-cli"],
    description: "Toolsets that are on where a platform has no list.",
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
    description: "Plugin toolsets about which a platform's user was already asked.",
  },
  custom_toolsets: {
    type: "object",
    default: {},
    description: "Your toolsets, by name.",
    additionalProperties: {
      type: "object",
      properties: {
        description: { type: "string", description: "Purpose of the toolset." },
        tools: { ...NAMES, description: "Tools in the toolset." },
        includes: { ...NAMES, description: "Other toolsets whose tools this toolset includes." },
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
              "Whether requests omit tools outside the core list and rarely used core tools, so that the model finds them with `tool_search`; `auto`: if they take too much space.",
          },
          threshold_pct: {
            type: "number",
            minimum: 0,
            maximum: 100,
            default: 10,
            description: "For `auto`: share of the context length that these tools may take, at most 8,000 tokens.",
          },
          search_default_limit: {
            type: "integer",
            minimum: 1,
            maximum: 50,
            default: 5,
            description: "Default number of tools that one search returns.",
          },
          max_search_limit: {
            type: "integer",
            minimum: 1,
            maximum: 50,
            default: 20,
            description: "Maximum number of tools that a search may request.",
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
        description: "Plugin for web search and web pages; empty: the first available one.",
      },
      search_backend: { type: "string", default: "", description: "Plugin for web search, if different." },
      extract_backend: {
        type: "string",
        default: "",
        description: "Plugin for web pages, if different.",
      },
      xai: {
        type: "object",
        properties: {
          model: { type: "string", default: "", description: "Model that searches; empty: grok-build-0.1." },
          timeout: { type: "number", default: 90, minimum: 1, description: "Seconds that a search may take." },
          allowed_domains: {
            type: "array",
            items: { type: "string" },
            default: [],
            description: "The only domains to search, at most five.",
          },
          excluded_domains: {
            type: "array",
            items: { type: "string" },
            default: [],
            description: "Domains that are not searched, at most five.",
          },
        },
      },
      extract_char_limit: {
        type: "integer",
        minimum: 2000,
        maximum: 500_000,
        default: 15_000,
        description: "Maximum length of a page that is shown completely.",
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
        description: "Plugin that generates images; empty: the only one available.",
      },
      model: { type: "string", default: "", description: "Model for images; empty: the plugin's default." },
    },
  },
  video_gen: {
    type: "object",
    additionalProperties: true,
    properties: {
      provider: {
        type: "string",
        default: "",
        description: "Plugin that generates videos; empty: the only one available.",
      },
      model: { type: "string", default: "", description: "Model for videos; empty: the plugin's default." },
    },
  },
  tts: {
    type: "object",
    additionalProperties: true,
    description:
      "Text to speech. The section of a service (`tts.openai`) contains its `voice`, `model`, `speed`, `base_url` and `max_text_length`.",
    properties: {
      provider: {
        type: "string",
        default: "",
        description:
          "Service: `edge`, `elevenlabs`, `openai`, `minimax`, `mistral`, `gemini`, `xai`, `neutts`, `kittentts`, an entry of `tts.providers`, or a plugin's. The tool `text_to_speech` is available once this is set.",
      },
      speed: {
        type: "number",
        minimum: 0.25,
        maximum: 4,
        description: "Speaking rate of any voice; 1: normal.",
      },
      providers: {
        type: "object",
        description: "Shell commands that generate speech, by name.",
        additionalProperties: {
          type: "object",
          properties: {
            type: { enum: ["command"], description: "Type; may be omitted." },
            command: {
              type: "string",
              description:
                "Shell command with `{input_path}`, `{output_path}`, `{format}`, `{voice}`, `{model}`, `{speed}`.",
            },
            output_format: {
              enum: ["mp3", "wav", "ogg", "flac"],
              description: "Format of the file that the command writes. Default mp3.",
            },
            voice_compatible: { type: "boolean", description: "Send the result as a voice message." },
            voice: { type: "string", description: "`{voice}`." },
            model: { type: "string", description: "`{model}`." },
            speed: { type: "number", description: "`{speed}`." },
            timeout: { type: "number", minimum: 1, description: "Timeout in seconds. Default 120." },
            max_text_length: {
              type: "integer",
              minimum: 1,
              description: "Maximum number of characters per call. Default 5000.",
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
      "Speech to text. The section of a service (`stt.groq`) contains its `model`, `language` and `base_url`.",
    properties: {
      enabled: {
        type: "boolean",
        default: true,
        description: "Transcribe voice messages in chats before the turn.",
      },
      echo_transcripts: { type: "boolean", default: true, description: "Show the transcript in the chat." },
      provider: {
        type: "string",
        default: "",
        description:
          "Service: `local`, `local_command`, `groq`, `openai`, `mistral`, `xai`, or a plugin's; empty: the first available one.",
      },
      language: {
        type: "string",
        default: "",
        description: "Spoken language, such as `en`; empty: detect automatically.",
      },
    },
  },
  mcp_discovery_timeout: {
    type: "number",
    minimum: 0,
    maximum: 60,
    default: 1.5,
    description: "Seconds that the first conversation waits for MCP servers whose tools are not known yet.",
  },
  tool_output: {
    type: "object",
    properties: {
      max_bytes: {
        type: "integer",
        minimum: 1000,
        default: 50_000,
        description: "Maximum output of a command, in bytes.",
      },
      max_lines: {
        type: "integer",
        minimum: 1,
        default: 2000,
        description: "Maximum number of file lines that are read at once.",
      },
      max_line_length: { unused: true },
    },
  },
  file_read_max_chars: {
    type: "integer",
    minimum: 1000,
    default: 100_000,
    description: "Maximum number of characters that `read_file` returns at once.",
  },
};
