import type { Command, ParsedScript, SyntaxNode } from "unbash";
import { GUESSED_NAMES } from "./programs.ts";

const GRAVE = new Set<string>([...GUESSED_NAMES, "sudo", "doas", "mkswap", "blkdiscard", "sfdisk", "sgdisk", "pkill", "killall5", "telinit", "init", "systemctl", "kexec", "tee", "cp"]);
const MAX_NODES = 20_000;
const MAX_FOUND = 40;

/** What is looked for behind the limits, where nothing is followed any more: hardline commands that are written out. */
export function findGrave(script: ParsedScript, forEachChild: (node: SyntaxNode, callback: (child: SyntaxNode) => void) => void): readonly Command[] {
  const found: Command[] = [];
  let nodes = 0;
  const visit = (node: SyntaxNode, depth: number): void => {
    if (++nodes > MAX_NODES || depth > 60 || found.length >= MAX_FOUND) return;
    if (node.type === "Command" && node.name && isGrave(node.name.value)) found.push(node);
    forEachChild(node, (child) => visit(child, depth + 1));
  };
  visit(script, 0);
  return found;
}

function isGrave(name: string): boolean {
  return GRAVE.has(name.slice(name.lastIndexOf("/") + 1)) || name.startsWith("mkfs");
}
