import type { Call } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { fork } from "../parse/state.ts";

/**
 * Judges external programs in the text of a Windows shell: `git push --force; Get-Date`. Quoting that differs from a
 * POSIX shell's hides a command.
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

/** Names with another meaning in this shell. */
const OWN_WORDS =
  /^(rm|rmdir|rd|del|erase|ri|cp|mv|ls|dir|cat|type|echo|kill|ps|curl|wget|sort|man|set|sleep|tee|where|start|cd|format|date|time|find|more|powershell|pwsh|cmd)(\.exe)?$/;
