/** Voices for setup and listings, without their code: name, label, and variables that may hold the key. */
export const VOICE_NAMES: readonly {
  readonly name: string;
  readonly label: string;
  readonly keys: readonly string[];
  readonly url?: string;
}[] = [
  { name: "edge", label: "Edge (no key; the text goes to Microsoft)", keys: [] },
  { name: "elevenlabs", label: "ElevenLabs", keys: ["ELEVENLABS_API_KEY"], url: "https://elevenlabs.io" },
  {
    name: "openai",
    label: "OpenAI",
    keys: ["VOICE_TOOLS_OPENAI_KEY", "OPENAI_API_KEY"],
    url: "https://platform.openai.com/api-keys",
  },
  { name: "minimax", label: "MiniMax", keys: ["MINIMAX_API_KEY"], url: "https://platform.minimax.io" },
  { name: "mistral", label: "Mistral", keys: ["MISTRAL_API_KEY"], url: "https://console.mistral.ai" },
  {
    name: "gemini",
    label: "Gemini",
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    url: "https://aistudio.google.com/app/apikey",
  },
  { name: "xai", label: "xAI", keys: ["XAI_API_KEY"], url: "https://console.x.ai" },
  { name: "neutts", label: "NeuTTS, on this machine (a Python package)", keys: [] },
  { name: "kittentts", label: "KittenTTS, on this machine (a Python package)", keys: [] },
];
