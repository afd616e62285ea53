import { mkdir, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";

/** Saves a hook's injected context in the folder of `hooks.output_spill.directory`. @returns the file. */
export async function spillContext(
  directory: string,
  homes: { readonly home: string; readonly agentHome: string },
  sessionId: string,
  name: string,
  text: string,
): Promise<string> {
  const folder = directory.startsWith("~/")
    ? join(homes.home, directory.slice(2))
    : isAbsolute(directory)
      ? directory
      : join(homes.agentHome, directory);
  const place = join(folder, sessionId.replaceAll(/[^\w.-]/g, "_"));
  await mkdir(place, { recursive: true, mode: 0o700 });
  const file = join(place, `${name}.txt`);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}
