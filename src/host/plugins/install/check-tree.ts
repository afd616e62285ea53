import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join, relative, isAbsolute } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";

/** Holds a fetched folder to what an archive is held to: no link that leads out, nothing but files, folders and links. */
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
        throw new UserError(`${from} is not taken: "${path}" is neither a file nor a folder nor a link.`);
    }
  }

  function checkLink(path: string): void {
    let target: string;
    try {
      target = relative(real, realpathSync(join(root, path)));
    } catch {
      throw new UserError(`${from} is not taken: the link "${path}" leads nowhere.`);
    }
    if (target.startsWith("..") || isAbsolute(target))
      throw new UserError(`${from} is not taken: the link "${path}" leads out of the folder.`);
  }
}
