import { createHash } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hostOf, type ToolContext } from "hermes-agent/plugin";
import type { Page } from "./page.ts";

const DEFAULT_CHARS = 15_000;
const RETAINED_CHARS = 2_000_000;
/** Maximum number of files in `cache/web`; the oldest are deleted first. */
const RETAINED_FILES = 200;

/** Truncates a long page to its beginning and end, with the path of the complete text. */
export async function fitPage(
  page: Page,
  asked: number | undefined,
  call: Pick<ToolContext, "config" | "agentHome" | "log">,
): Promise<Page> {
  const content = withoutPictures(page.content);
  const setting = call.config("web.extract_char_limit");
  const limit = Math.min(500_000, Math.max(2_000, asked ?? (typeof setting === "number" ? setting : DEFAULT_CHARS)));
  if (content.length <= limit) return { ...page, content };
  const head = content.slice(0, Math.floor(limit * 0.75)).toWellFormed();
  const tail = content.slice(content.length - Math.floor(limit * 0.25)).toWellFormed();
  const left = content.length - head.length - tail.length;
  const where = await keepPage(page.url, content, call);
  return {
    ...page,
    content: `${head}\n[... ${left} characters omitted${where === undefined ? "" : `; the complete text is in ${where}: use read_file with offset`} ...]\n${tail}`,
  };
}

/** Replaces inline pictures of a page by a note. */
export function withoutPictures(content: string): string {
  return content.replaceAll(
    /!\[([^[\]]*)\]\(data:[^()]*\)|data:image\/[\w.+-]+;base64,[A-Za-z0-9+/=]+/g,
    (_, words?: string) => `[IMAGE: ${words ?? ""}]`,
  );
}

/** @returns The file with the complete text, if it could be saved. */
export async function keepPage(
  url: string,
  text: string,
  { agentHome, log }: Pick<ToolContext, "agentHome" | "log">,
): Promise<string | undefined> {
  const folder = join(agentHome, "cache", "web");
  const file = join(
    folder,
    `${(hostOf(url) ?? "page").replaceAll(/[^\w.-]/g, "_").slice(0, 80)}-${createHash("sha256").update(url).digest("hex").slice(0, 10)}.md`,
  );
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, text.slice(0, RETAINED_CHARS).toWellFormed(), { mode: 0o600 });
    await keepNewest(folder);
    return file;
  } catch (cause) {
    log.warning("Cannot save the complete text of a page.", { cause });
    return undefined;
  }
}

async function keepNewest(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= RETAINED_FILES) return;
  const files = await Promise.all(
    names.map(async (name) => ({
      path: join(folder, name),
      at: await stat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    })),
  );
  for (const { path } of files.toSorted((a, b) => b.at - a.at).slice(RETAINED_FILES)) await rm(path, { force: true });
}
