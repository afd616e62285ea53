import { readFile, realpath } from "node:fs/promises";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { dirname, join, sep } from "node:path";

const TYPES: { readonly [ending: string]: string } = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  ts: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  woff2: "font/woff2",
};

export interface PageFile {
  readonly type: string;
  readonly content: string | Buffer;
}

const FROM_SOURCE = import.meta.url.endsWith(".ts");
/** In a clone `page/` next to this file; in a build `dist/dashboard`. */
const PAGE = FROM_SOURCE ? join(import.meta.dirname, "page") : join(import.meta.dirname, "../dashboard");

/**
 * A file of the page. A clone has no built files, so JavaScript is generated from the TypeScript source on request.
 * @param path Relative to the page's folder; plain names only.
 */
export async function pageFile(path: string): Promise<PageFile | undefined> {
  if (!FROM_SOURCE) return fileIn(PAGE, path);
  const source = path === "main.js" || path === "frame.js" ? path.replace(/js$/, "ts") : path;
  const file = await fileIn(PAGE, source);
  return file === undefined || !source.endsWith(".ts")
    ? file
    : { ...file, content: withoutTypes(String(file.content)) };
}

/** The terminal of the chat tab. `undefined`: its package is not installed. */
export async function terminalFile(name: "xterm.mjs" | "xterm.css"): Promise<PageFile | undefined> {
  if (!FROM_SOURCE) return fileIn(PAGE, name);
  try {
    const library = dirname(createRequire(import.meta.url).resolve("@xterm/xterm/package.json"));
    return await fileIn(library, name === "xterm.css" ? "css/xterm.css" : "lib/xterm.mjs");
  } catch {
    return undefined; // Not installed.
  }
}

/** A file below a folder. Symbolic links out of the folder are not followed. */
export async function fileIn(folder: string, path: string): Promise<PageFile | undefined> {
  const type = TYPES[path.slice(path.lastIndexOf(".") + 1)];
  if (type === undefined) return undefined;
  try {
    const [root, file] = [await realpath(folder), await realpath(join(folder, path))];
    return file.startsWith(`${root}${sep}`) ? { type, content: await readFile(file) } : undefined;
  } catch {
    return undefined; // No such file.
  }
}

/** Suppresses Node's experimental warning about this function. */
function withoutTypes(code: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(code);
  } finally {
    process.emitWarning = emitWarning;
  }
}
