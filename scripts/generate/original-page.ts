import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "oxfmt";
import { toolsetTable } from "../../src/engine/tools/toolset-table.ts";
import { API_MODES } from "../../src/host/models/model-choice.ts";
import { CORE_COMMANDS } from "../../src/surfaces/shared/commands/core-commands.ts";
import { commandNames } from "./cli-page.ts";
import { ORIGINAL } from "./original-names.ts";
import { code, table, type Page } from "./page.ts";
import { ROOT, type BundledPlugin } from "./read-snapshot.ts";

const BEGIN = "<!-- compared: made by `npm run generate` -->";
const END = "<!-- /compared -->";
/** Toolsets for a platform that are not for a chat service. */
const NOT_CHATS = new Set(["cli", "cron", "acp", "api-server", "gateway", "homeassistant", "webhook"]);

/** Names of the original, and which of them this version has. */
export interface Compared {
  readonly kind: keyof typeof HEADS;
  readonly present: readonly string[];
  readonly absent: readonly string[];
}

const HEADS = {
  commands: ["Commands of `hermes`", "`hermes` 的命令"],
  slash: ["Slash commands", "斜杠命令"],
  tools: ["Tools", "工具"],
  platforms: ["Chat platforms", "聊天平台"],
  protocols: ["Model protocols", "模型协议"],
  terminals: ["Terminal backends", "终端后端"],
  web: ["Web services", "网络服务"],
  images: ["Image services", "图片服务"],
  videos: ["Video services", "视频服务"],
  speech: ["Speech services", "语音服务"],
  memory: ["Memory providers", "记忆提供方"],
} as const;

/** Compares the original's names with the command tree, the slash commands, and what the bundled plugins register. */
export function compareWithOriginal(plugins: readonly BundledPlugin[]): readonly Compared[] {
  const provided = (slot: string): ReadonlySet<string> =>
    new Set(
      plugins.flatMap(({ registered }) => registered.providers.flatMap((one) => (one.slot === slot ? [one.id] : []))),
    );
  const commands = new Set([...commandNames()].map((name) => name.split(" ")[1] ?? ""));
  const slash = new Set([
    ...CORE_COMMANDS.flatMap(({ name, aliases }) => [name, ...aliases]),
    ...plugins.flatMap(({ registered }) =>
      registered.commands.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]),
    ),
  ]);
  const tools = new Set(plugins.flatMap(({ registered }) => registered.tools.map(({ name }) => name)));
  const toolsets = toolsetTable();
  const chats = toolsets
    .map(({ name }) => name.replace(/^hermes-/, ""))
    .filter((name, at) => toolsets[at]!.name.startsWith("hermes-") && !NOT_CHATS.has(name));
  const split = (kind: Compared["kind"], names: readonly string[], has: (name: string) => boolean): Compared => ({
    kind,
    present: names.filter(has).toSorted(),
    absent: names.filter((name) => !has(name)).toSorted(),
  });
  const of = (slot: string) => (name: string) => provided(slot).has(name);
  return [
    split("commands", ORIGINAL.commands, (name) => commands.has(name)),
    split("slash", ORIGINAL.slash, (name) => slash.has(name)),
    split("tools", [...new Set(toolsets.flatMap((toolset) => toolset.tools))], (name) => tools.has(name)),
    split("platforms", [...new Set([...chats, ...ORIGINAL.platforms])], of("platform")),
    split("protocols", ORIGINAL.protocols, (name) => API_MODES.some((mode) => mode === name)),
    split("terminals", ["local", "docker", "ssh", "modal", "daytona", "singularity", "vercel_sandbox"], of("terminal")),
    split("web", ORIGINAL.web, of("web")),
    split("images", ORIGINAL.images, of("image_gen")),
    split("videos", ORIGINAL.videos, of("video_gen")),
    split("speech", ORIGINAL.speech, of("tts")),
    split("memory", ORIGINAL.memory, of("memory")),
  ];
}

/** docs/from-the-original.md in both languages, with the current comparison. */
export function originalPages(plugins: readonly BundledPlugin[]): Promise<readonly Page[]> {
  const compared = compareWithOriginal(plugins);
  const pages = [
    {
      file: "docs/from-the-original.md",
      language: 0,
      heads: ["", "here", "missing"],
      all: "all",
      none: "none",
      comma: ", ",
    },
    {
      file: "docs/zh-Hans/from-the-original.md",
      language: 1,
      heads: ["", "本版本有", "缺少"],
      all: "全部",
      none: "无",
      comma: "、",
    },
  ] as const;
  return Promise.all(
    pages.map(async ({ file, language, heads, all, none, comma }) => {
      const text = readFileSync(join(ROOT, file), "utf8");
      const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
      if (begin < 0 || end < begin) throw new Error(`${file} has no markers for the comparison: ${BEGIN} … ${END}`);
      const rows = compared.map(({ kind, present, absent }) => [
        HEADS[kind][language],
        // Tools and commands have their own pages; the names that are missing are what a reader looks for.
        absent.length === 0
          ? `${all} (${present.length})`
          : kind === "tools" || kind === "commands" || kind === "slash"
            ? String(present.length)
            : present.map((name) => code(name)).join(comma) || none,
        absent.map((name) => code(kind === "slash" ? `/${name}` : name)).join(comma) || none,
      ]);
      const made = `${text.slice(0, begin + BEGIN.length)}\n\n${table(heads, rows)}\n\n${text.slice(end)}`;
      return { file: `../../${file}`, text: (await format(file, made, { printWidth: 120 })).code };
    }),
  );
}
