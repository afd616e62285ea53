import type { Call } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { fork } from "../parse/state.ts";

/**
 * Commands in the text of a Windows shell that are not its own: `git push --force; Get-Date`. If its quoting differs
 * from a shell's, nothing is found.
 */
export function otherPrograms(call: Call, option: number): void {
  const text = call.args.slice(option + 1).join(" ");
  if (option < 0) return;
  for (const piece of text.split(/[;&|{}\n]+/)) {
    const words = piece
      .trim()
      .split(/\s+/)
      .map((word) => word.replace(/^["']|["']$/g, ""));
    if (/^[a-z][\w.-]*$/.test(words[0] ?? "") && !OWN_WORDS.test(words[0]!))
      call.by.suspect(() => call.by.run(words, call, UNSEEN, { ...fork(call.state), guessed: true }));
  }
}

/** Names that mean something else here than in a shell. */
const OWN_WORDS =
  /^(rm|rmdir|rd|del|erase|ri|cp|mv|ls|dir|cat|type|echo|kill|ps|curl|wget|sort|man|set|sleep|tee|where|start|cd|format|date|time|find|more|powershell|pwsh|cmd)(\.exe)?$/;
