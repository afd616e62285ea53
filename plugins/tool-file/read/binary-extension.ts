const LISTS = {
  image: "png jpg jpeg gif bmp ico webp tiff tif heic avif",
  video: "mp4 mov avi mkv webm wmv flv m4v mpeg mpg",
  audio: "mp3 wav ogg flac aac m4a wma aiff opus",
  archive: "zip tar gz bz2 7z rar xz z tgz iso zst jar war",
  program: "exe dll so dylib bin o a obj lib app msi deb rpm node wasm",
  document: "doc xls ppt pptx odt ods odp docx xlsx",
  font: "ttf otf woff woff2 eot",
  bytecode: "pyc pyo class rlib",
  database: "sqlite sqlite3 db mdb idx",
  design: "psd ai eps sketch fig xd blend 3ds max",
  other: "swf fla lockb",
} as const;

export type BinaryKind = keyof typeof LISTS;

let kinds: ReadonlyMap<string, BinaryKind> | undefined;

/** The kind of a file that is not text, by its extension. `.pdf` is detected by the first bytes. */
export function binaryKind(path: string): BinaryKind | undefined {
  kinds ??= new Map(
    Object.entries(LISTS).flatMap(([kind, extensions]) =>
      extensions.split(" ").map((extension): [string, BinaryKind] => [extension, kind as BinaryKind]),
    ),
  );
  return kinds.get(extensionOf(path).slice(1));
}

/** `.ts` of `a/b.ts`, lower case; "" when there is none (`.env` has none). */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot).toLowerCase() : "";
}
