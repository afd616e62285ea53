import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Removes the oldest files of a folder while all together are larger than `maxBytes`; never the one that was just
 * made.
 */
export async function keepNewest(folder: string, made: string, maxBytes: number): Promise<void> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => ({
      path: join(folder, name),
      stat: await stat(join(folder, name)).catch(() => undefined),
    })),
  );
  const others = files.flatMap(({ path, stat }) =>
    path !== made && stat?.isFile() === true ? [{ path, size: stat.size, at: stat.mtimeMs }] : [],
  );
  let saved = files.find(({ path }) => path === made)?.stat?.size ?? 0;
  for (const { path, size } of others.toSorted((a, b) => b.at - a.at)) {
    saved += size;
    if (saved > maxBytes) await rm(path, { force: true });
  }
}
