type Child = Node | string | false | undefined;

/** Creates an SVG element with its children. Strings become text nodes. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: { readonly [name: string]: string | number | undefined } = {},
  ...children: readonly (Child | readonly Child[])[]
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(name, String(value));
  made.append(...children.flat().filter((child) => child instanceof Node || typeof child === "string"));
  return made;
}
