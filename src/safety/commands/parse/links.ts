import { posix } from "node:path";
import { hasMark, UNKNOWN } from "./marks.ts";

const MAX_LINKS = 60;
const MAX_FOLLOWED = 6;

/** Links and mounts that the script itself makes: another name for a place is the place. */
export class Links {
  private readonly made = new Map<string, { readonly to: string; readonly mounted: boolean }>();

  /** @param target As `ln` is given it: what is relative begins where the link lies. */
  make(path: string, target: string, mounted = false): void {
    const to = target.startsWith("/")
      ? posix.normalize(target)
      : path.startsWith("/") && !hasMark(target)
        ? posix.join(posix.dirname(path), target)
        : UNKNOWN;
    const plain = to.length > 1 && to.endsWith("/") ? to.slice(0, -1) : to;
    if (
      hasMark(plain) ||
      plain === path ||
      path === "/" ||
      !/\/[^/]*[\w.][^/]*$/.test(path) ||
      this.made.size >= MAX_LINKS
    )
      return;
    this.made.set(path, { to: plain, mounted });
  }

  /** The name is gone, and what it stood for is not. */
  drop(path: string): void {
    this.made.delete(path);
  }

  get some(): boolean {
    return this.made.size > 0;
  }

  /** The path with the links on the way replaced; one at its end only where the text goes on behind it (`link/`). */
  through(path: string, text: string): string {
    let at = path;
    for (let round = 0; round < MAX_FOLLOWED; round++) {
      const next = this.once(at, /(?:^|\/)\.?\/?$/.test(text));
      if (next === at) return at;
      at = next;
    }
    return at;
  }

  /** The target if the path itself is a link; undefined if it is none, or part of a loop. */
  end(path: string): string | undefined {
    let at: string | undefined;
    for (let next = this.made.get(path)?.to, round = 0; next !== undefined; next = this.made.get(next)?.to) {
      if (++round > MAX_FOLLOWED) return undefined;
      at = next;
    }
    return at;
  }

  /** A mount point under the path: deleting the path deletes its content. */
  mount(path: string): string | undefined {
    const link = this.made.get(path);
    return link?.mounted ? link.to : undefined;
  }

  private once(path: string, last: boolean): string {
    for (const [name, { to }] of this.made) {
      if (path === name && last) return to;
      if (path.startsWith(`${name}/`)) return (to === "/" ? "" : to) + path.slice(name.length);
    }
    return path;
  }
}
