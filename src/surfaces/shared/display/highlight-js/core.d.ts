// The package's own types bring the types of browsers into every file of the project; tsconfig.json takes these instead.

export interface Grammars {
  registerLanguage(name: string, grammar: Grammar): void;
  /** @returns `value` is HTML: text and nested `<span class="hljs-…">`. */
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ): { readonly value: string };
}

/** A function of the library that describes a language. */
export type Grammar = (grammars: Grammars) => object;

declare const grammars: Grammars;
export default grammars;
