import { posix } from "node:path";

const MAX_LINKS = 40;

/**
 * Where an absolute path really leads, link by link, also through links to what does not exist (yet): a file made under such a name is made
 * where the link points. What exists none of is kept as it stands.
 * @param readLink A link's text, or undefined where the path is no link.
 * @throws {Error} More than 40 links, as in a circle.
 */
export async function followLinks(
  path: string,
  readLink: (path: string) => Promise<string | undefined>,
): Promise<string> {
  let done = "/";
  let todo = parts(path);
  for (let links = 0; todo.length > 0;) {
    const [name, ...rest] = todo as [string, ...string[]];
    if (name === "..") {
      done = posix.dirname(done);
      todo = rest;
      continue;
    }
    const next = posix.join(done, name);
    const target = await readLink(next);
    if (target === undefined) {
      done = next;
      todo = rest;
      continue;
    }
    if (++links > MAX_LINKS) throw new Error(`${path} leads through more than ${MAX_LINKS} links`);
    if (posix.isAbsolute(target)) done = "/";
    todo = [...parts(target), ...rest];
  }
  return done;
}

const parts = (path: string): string[] => path.split("/").filter((part) => part !== "" && part !== ".");
