import { stripVTControlCharacters } from "node:util";

// Everything below space but tab, line feed and carriage return, and what turns the direction of text around or hides
// in it.
const CONTROL =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/**
 * Output as a reader may take it: no escape sequences, no invisible characters, overwritten progress lines as they
 * ended.
 */
export function plainText(output: string): string {
  const stripped = output.includes("\u001b") || output.includes("\u009b") ? stripVTControlCharacters(output) : output;
  const unhidden = stripped.replace(CONTROL, "");
  return unhidden.includes("\r") ? unhidden.replace(/\r+\n/g, "\n").replace(/[^\n]*\r(?=[^\n])/g, "") : unhidden;
}
