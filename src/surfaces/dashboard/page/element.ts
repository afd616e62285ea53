type Child = Node | string | number | false | null | undefined;

/** Attributes of an element: `on…` adds a listener, booleans toggle, other values are set as text. */
type Attributes = { readonly [name: string]: string | number | boolean | undefined | ((event: Event) => void) };

/** Creates an element with its children. Strings become text nodes and are never parsed as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Child | readonly Child[])[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (typeof value === "boolean") made.toggleAttribute(name, value);
    else if (value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...present(children.flat()));
  return made;
}

/** Replaces the children of an element. */
export function fill(place: HTMLElement, ...children: readonly (Child | readonly Child[])[]): void {
  place.replaceChildren(...present(children.flat() as readonly Child[]));
}

function present(children: readonly Child[]): readonly (Node | string)[] {
  return children.flatMap((child) =>
    child === false || child === null || child === undefined || child === ""
      ? []
      : [typeof child === "number" ? String(child) : child],
  );
}
