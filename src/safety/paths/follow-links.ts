import { posix } from "node:path";

const MAX_LINKS = 40;

/**
 * The real target of an absolute path, link by link, also through links to paths that do not exist (yet): a file
 * created under such a name is created at the link's target. A remainder that does not exist stays as written.
 * @param readLink A link's text, or undefined if the path is no link.
 * @throws {Error} More than 40 links, as in a loop.
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
