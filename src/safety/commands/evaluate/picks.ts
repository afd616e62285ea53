import type { SyntaxNode } from "unbash";
import type { Budget } from "../parse/budget.ts";

/** Commands that say nothing of what a process is. */
const BLIND = new Set(
  "kill sudo doas echo printf : true false continue break sleep wait [ test [[ basename exit".split(" "),
);
const MAX_NODES = 400;

/**
 * Whether the body of a loop looks at what it has before it and does something only to some of it: a condition that
 * asks for more than the number of a process (`[ "$p" != $$ ]` leaves out one of them, and takes all others).
 */
export function picks(
  body: SyntaxNode,
  forEachChild: (node: SyntaxNode, callback: (child: SyntaxNode) => void) => void,
  budget: Budget,
): boolean {
  let conditions = 0;
  let looks = false;
  let nodes = 0;
  const visit = (node: SyntaxNode): void => {
    if (nodes++ > MAX_NODES) return;
    budget.spend(0.2);
    if (node.type === "Case") {
      conditions++;
      looks = true;
    } else if (node.type === "If" || node.type === "AndOr") conditions++;
    else if (node.type === "Command") {
      const name = node.name?.value ?? ":";
      if (!BLIND.has(name)) looks = true;
      else if ((name === "[" || name === "test") && !countsOnly(node.args.map((arg) => arg.text))) looks = true;
    } else if (node.type === "TestBinary" && !countsOnly([node.left.text, node.operator, node.right.text]))
      looks = true;
    else if (node.type === "TestUnary" && node.operator !== "-n") looks = true;
    forEachChild(node, visit);
  };
  visit(body);
  return conditions > 0 && (looks || nodes > MAX_NODES);
}

/** A comparison with one number, which may be that of the shell itself. */
function countsOnly(words: readonly string[]): boolean {
  return (
    words.some((word) => /^(?:!?==?|-ne|-eq)$/.test(word)) &&
    words.some((word) => /^"?(?:\d+|\$\$|\$\{?(?:PPID|BASHPID|!)\}?)"?$/.test(word))
  );
}
