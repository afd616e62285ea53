/** An answer's text in which a server left marks of thinking that no field carries. */
export interface SplitText {
  readonly thinking: string;
  readonly text: string;
}

const NAMES = "think|thinking|reasoning|thought";
const CLOSE = new RegExp(String.raw`</\s*(?:${NAMES})\s*>`, "gi");
const OPEN = new RegExp(String.raw`<\s*(?:${NAMES})\s*>`, "i");
const CHANNEL = /^\s*(?:<\|start\|>\s*assistant\s*)?<\|channel\|>/;

/**
 * Splits off thinking that ends with a closing tag whose opening tag the server swallowed, or that stands in a channel
 * of the harmony format. A tag that the text only mentions (in code, in quotes, in a sentence) stays text.
 */
export function splitThinking(text: string): SplitText {
  if (CHANNEL.test(text)) return splitChannels(text);
  for (const close of text.matchAll(CLOSE)) {
    const before = text.slice(0, close.index);
    const after = text.slice(close.index + close[0].length);
    if (OPEN.test(before)) return { thinking: "", text };
    if (endsThinking(before, after)) return { thinking: before.trim(), text: after.trimStart() };
  }
  return { thinking: "", text };
}

function endsThinking(before: string, after: string): boolean {
  // An odd number of fences: within code.
  if ((before.match(/^\s*```/gm)?.length ?? 0) % 2 === 1) return false;
  if (/[`"'“‘«(]$/.test(before) || /^[`"'”’»)]/.test(after)) return false;
  const apart = /^[ \t]*(?:\r?\n[ \t]*\r?\n|$)/.test(after);
  const ownLine = /(?:^|\n)[ \t]*$/.test(before);
  const sentence = /[.!?…。！？:)\]}]\s*$/.test(before) && /^\s*\S/.test(after);
  return apart || ownLine || sentence;
}

/** `<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final<|message|>…` */
function splitChannels(text: string): SplitText {
  const thinking: string[] = [];
  const shown: string[] = [];
  for (const piece of text.split(/<\|channel\|>/).slice(1)) {
    const at = piece.indexOf("<|message|>");
    const head = at < 0 ? piece : piece.slice(0, at);
    // A call stays whole: the engine reads it.
    if (/\bto=/.test(head)) {
      shown.push(`<|channel|>${piece}`);
      continue;
    }
    const body = (at < 0 ? "" : piece.slice(at + "<|message|>".length)).replace(
      /<\|(?:end|return|call)\|>[\s\S]*$/,
      "",
    );
    (/^\s*analysis\b/.test(head) ? thinking : shown).push(body.trim());
  }
  const joined = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");
  return { thinking: joined(thinking), text: joined(shown) };
}

/** Text may be, or become, one of harmony's channels: then nothing of it is shown before its end. */
export function mayBeChannels(text: string): boolean {
  const start = text.trimStart();
  return ["<|channel|>", "<|start|>"].some(
    (mark) => start.startsWith(mark) || (start !== "" && mark.startsWith(start)),
  );
}
