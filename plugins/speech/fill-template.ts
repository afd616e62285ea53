/**
 * A shell command with values in the place of `{name}`. Each value stays one word or part of one, whatever it holds, for it is quoted as the place
 * asks for where it stands. `{{` and `}}` are braces; `${name}` is the shell's, and so is a name that is not known.
 */
export function fillTemplate(template: string, values: { readonly [name: string]: string }): string {
  let filled = "";
  let quote: "" | "'" | '"' = "";
  for (let at = 0; at < template.length; at++) {
    const char = template[at]!;
    const two = template.slice(at, at + 2);
    if (char === "\\" && quote !== "'") {
      filled += two;
      at++;
    } else if (two === "{{" || two === "}}") {
      filled += char;
      at++;
    } else if (char === "{" && template[at - 1] !== "$") {
      const name = /^\{([a-z_]+)\}/.exec(template.slice(at))?.[1];
      if (name === undefined || !Object.hasOwn(values, name)) filled += char;
      else {
        filled += quoted(values[name]!, quote);
        at += name.length + 1;
      }
    } else {
      if (char === quote) quote = "";
      else if (quote === "" && (char === "'" || char === '"')) quote = char;
      filled += char;
    }
  }
  return filled;
}

/** @param within The quotes that stand around it. */
function quoted(value: string, within: "" | "'" | '"'): string {
  if (within === '"') return value.replaceAll(/[\\"$`]/g, "\\$&");
  const inside = value.replaceAll("'", "'\\''");
  return within === "'" ? inside : `'${inside}'`;
}
