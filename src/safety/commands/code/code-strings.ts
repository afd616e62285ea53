import type { Call } from "../evaluate/call.ts";
import type { Token } from "./code-tokens.ts";
import { UNSEEN } from "../risk/effect.ts";

/** Names that run a program, in whatever language. */
const RUNNERS =
  /^(run|runs|sh|bash|shell|system|process|exec\w*|execute|spawn\w*|cmd|command|Command|popen\w*|open3|proc|pipeline|subprocess|runtime|getRuntime|ProcessBuilder|program|launch|createProcess|callProcess|readProcess|callCommand|shellout|backtick)$/i;

/**
 * A program text in a language without a table: if a name says that something is run, the texts beside it are checked
 * as shell lines, and adjacent texts as the words of one command. Only harmful results count.
 */
export function judgeStrings(tokens: readonly Token[], call: Call): void {
  if (!tokens.some((token) => token.kind === "name" && RUNNERS.test(token.text))) return;
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i]!.kind !== "string") continue;
    const words = [tokens[i]!.text];
    // A comma, a bracket or nothing between two texts keeps them together.
    while (i + 1 < tokens.length) {
      const next = tokens.slice(i + 1, i + 5).findIndex((token) => token.kind === "string");
      if (
        next === -1 ||
        !tokens
          .slice(i + 1, i + 1 + next)
          .every((token) => token.kind === "punctuation" && /^[,[\](){}]$/.test(token.text))
      )
        break;
      i += next + 1;
      words.push(tokens[i]!.text);
    }
    call.by.suspect(() => {
      if (/\s/.test(words[0]!)) call.by.script(words[0]!, call, { stdin: UNSEEN });
      else if (/^[\w./-]+$/.test(words[0]!)) call.by.run(words, call, UNSEEN);
    });
  }
}
