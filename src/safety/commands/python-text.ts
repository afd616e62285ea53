/** A Python text as the command that would run it, for whoever judges commands. No line of it is the end of the here-document. */
export function pythonCommand(code: string): string {
  let end = "END_OF_SCRIPT";
  while (code.includes(end)) end += "_";
  return `python3 - <<'${end}'\n${code}\n${end}`;
}
