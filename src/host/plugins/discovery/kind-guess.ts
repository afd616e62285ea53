import type { PluginManifest } from "../../../contract/plugins/plugin.ts";

/**
 * Memory providers need not declare their kind: one that registers nothing else is chosen by `memory.provider`. With
 * tools it is an ordinary plugin, so that a word in its source never disables its tools.
 */
export function guessKind(text: string): { readonly kind: PluginManifest["kind"]; readonly why?: string } {
  const source = codeOf(text);
  const calls = (name: string): boolean => new RegExp(`\\b${name}\\s*\\(`).test(source);
  const others = calls("register_tool") || calls("register_hook") || calls("register_command");
  if ((calls("register_memory_provider") || /\bprovide\(\s*["']memory["']/.test(source)) && !others)
    return { kind: "exclusive", why: "it registers only a memory provider" };
  if (calls("register_provider") && /\bProviderProfile\b/.test(source) && !others)
    return { kind: "model-provider", why: "it registers only a model provider" };
  return { kind: "standalone" };
}

/** Guesses what a folder without a manifest contains, if it is a plugin. */
export function guessBareKind(text: string): "exclusive" | "model-provider" | undefined {
  const source = codeOf(text);
  if (/register_memory_provider|MemoryProvider|register_context_engine|ContextEngine/.test(source)) return "exclusive";
  return /\bregister_provider\s*\(/.test(source) && /\bProviderProfile\b/.test(source) ? "model-provider" : undefined;
}

/** The line that is missing in the manifest of a plugin that registers a chat platform. */
export function missingKind(manifest: PluginManifest, text: string): string | undefined {
  if (manifest.kind !== "standalone") return undefined;
  const source = codeOf(text);
  return /\bregister_platform\s*\(/.test(source) || /\bprovide\(\s*["']platform["']/.test(source)
    ? "it registers a chat platform, but its plugin.yaml lacks the line `kind: platform`"
    : undefined;
}

/** Strings in several lines, strings, and comments, of Python or TypeScript. */
const TEXT =
  /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\*[\s\S]*?\*\/|(?<![:/])\/\/.*|#.*/g;

/** The source without comments and prose: a guess must not depend on what they mention. Strings of one word stay. */
function codeOf(text: string): string {
  const isPython = !/^\s*(?:import\b.*\bfrom\s*["']|export\b)/m.test(text);
  return text.replace(TEXT, (found) =>
    /^["'][\w/-]+["']$/.test(found) || found.startsWith(isPython ? "/" : "#") ? found : '""',
  );
}
