import type { Command, ParsedScript, SyntaxNode } from "unbash";
import type { Budget } from "../parse/budget.ts";
import { GUESSED_NAMES } from "./guessed-names.ts";

const GRAVE = new Set<string>([
  ...GUESSED_NAMES,
  "sudo",
  "doas",
  "mkswap",
  "blkdiscard",
  "sfdisk",
  "sgdisk",
  "pkill",
  "killall5",
  "telinit",
  "init",
  "systemctl",
  "kexec",
  "tee",
  "cp",
]);
const MAX_DEPTH = 60;
const MAX_FOUND = 40;

/** Beyond the limits, where the analysis stops: finds literal commands that are hard blocks. */
export function findGrave(
  script: ParsedScript,
  forEachChild: (node: SyntaxNode, callback: (child: SyntaxNode) => void) => void,
  budget: Budget,
): readonly Command[] {
  const found: Command[] = [];
  const visit = (node: SyntaxNode, depth: number): void => {
    if (depth > MAX_DEPTH || found.length >= MAX_FOUND || budget.left <= 0) return;
    budget.left -= 0.2 + ("text" in node && depth > 4 ? node.text.length / 10 : 0);
    if (node.type === "Command" && node.name && isGrave(node.name.value)) found.push(node);
    forEachChild(node, (child) => visit(child, depth + 1));
  };
  visit(script, 0);
  return found;
}

function isGrave(name: string): boolean {
  return GRAVE.has(name.slice(name.lastIndexOf("/") + 1)) || name.startsWith("mkfs");
}
