import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join, relative, isAbsolute } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";

/** Applies the rules for archives to a fetched folder: no link that leads out, only files, folders and links. */
export function checkTree(root: string, from: string): void {
  const real = realpathSync(root);
  visit("");

  function visit(folder: string): void {
    for (const name of readdirSync(join(root, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const stat = lstatSync(join(root, path));
      if (stat.isDirectory()) visit(path);
      else if (stat.isSymbolicLink()) checkLink(path);
      else if (!stat.isFile())
        throw new UserError(`Cannot install from ${from}: "${path}" is not a file, folder or link.`);
    }
  }

  function checkLink(path: string): void {
    let target: string;
    try {
      target = relative(real, realpathSync(join(root, path)));
    } catch {
      throw new UserError(`Cannot install from ${from}: the link "${path}" is broken.`);
    }
    if (target.startsWith("..") || isAbsolute(target))
      throw new UserError(`Cannot install from ${from}: the link "${path}" leads out of the folder.`);
  }
}
