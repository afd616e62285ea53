import { readFile, realpath } from "node:fs/promises";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

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

/**
 * A module outside the page's folder that the page imports, with its URL as path: `shared/display/…`. A build bundles
 * them.
 */
export async function sharedFile(path: string): Promise<PageFile | undefined> {
  if (!FROM_SOURCE || path.endsWith(".test.ts")) return undefined;
  const file = await fileIn(join(import.meta.dirname, "../shared/display"), path.replace("shared/display/", ""));
  return file === undefined ? undefined : { ...file, content: withoutTypes(String(file.content)) };
}

/** What the page imports from packages, by the name that a browser requests in a clone. */
const LIBRARIES: { readonly [specifier: string]: string } = {
  marked: "marked.js",
  "marked-cjk-friendly": "marked-cjk-friendly.js",
  "highlight.js/lib/core": "highlight.js",
};

/** A module of a package, for the page of a clone. */
export async function libraryFile(name: string): Promise<PageFile | undefined> {
  if (!FROM_SOURCE) return undefined;
  const language = /^language-(\w+)\.js$/.exec(name)?.[1];
  const specifier =
    language === undefined
      ? Object.keys(LIBRARIES).find((key) => LIBRARIES[key] === name)
      : `highlight.js/lib/languages/${language}`;
  if (specifier === undefined) return undefined;
  // Its module for browsers imports a CommonJS one.
  const isCommon = specifier === "highlight.js/lib/core";
  const file = isCommon
    ? createRequire(import.meta.url).resolve(specifier)
    : fileURLToPath(import.meta.resolve(specifier));
  const code = await readFile(file, "utf8").catch(() => undefined);
  if (code === undefined) return undefined;
  return {
    type: TYPES["js"]!,
    content: isCommon
      ? `const module = { exports: {} };\n${code}\nexport default module.exports;\n`
      : code.replace(/^\/\/# sourceMappingURL=.*$/m, ""),
  };
}

/** The terminal of the terminal tab. `undefined`: its package is not installed. */
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

/** Browsers do not find packages by their names. */
function withUrls(code: string): string {
  return code.replaceAll(/(from |import\()"([a-z][\w./-]*)"/g, (whole, before: string, specifier: string) => {
    const language = /^highlight\.js\/lib\/languages\/(\w+)$/.exec(specifier)?.[1];
    const name = language === undefined ? LIBRARIES[specifier] : `language-${language}.js`;
    return name === undefined ? whole : `${before}"/library/${name}"`;
  });
}

/** Suppresses Node's experimental warning about this function. */
function withoutTypes(code: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return withUrls(stripTypeScriptTypes(code));
  } finally {
    process.emitWarning = emitWarning;
  }
}
