/**
 * A Python text as the command that would run it, for the judgement of commands. No line of it ends the here-document.
 */
export function pythonCommand(code: string): string {
  let end = "END_OF_SCRIPT";
  while (code.includes(end)) end += "_";
  return `python3 - <<'${end}'\n${code}\n${end}`;
}
