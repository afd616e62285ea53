import { ToolFailure } from "hermes-agent/plugin";

/**
 * The names by which elements of one document are called (`@e5`). An element keeps its name, and none is given twice.
 */
export class Refs {
  readonly #nodes = new Map<string, number>();
  readonly #names = new Map<number, string>();
  #count = 0;
  #document = -1;

  /** Refs of an earlier document are invalid. */
  begin(document: number): void {
    if (document === this.#document) return;
    this.#document = document;
    this.#nodes.clear();
    this.#names.clear();
  }

  name(backendNodeId: number): string {
    const known = this.#names.get(backendNodeId);
    if (known !== undefined) return known;
    const name = `e${(this.#count += 1)}`;
    this.#names.set(backendNodeId, name);
    this.#nodes.set(name, backendNodeId);
    return name;
  }

  /** @throws {ToolFailure} `not_found` for a name of no element of this document. */
  node(ref: string, document: number): number {
    const node = document === this.#document ? this.#nodes.get(ref.replace(/^@/, "")) : undefined;
    if (node === undefined) throw noElement(ref);
    return node;
  }
}

export function noElement(ref: string): ToolFailure {
  return new ToolFailure("not_found", `No element @${ref.replace(/^@/, "")} on this page.`, {
    hint: "Get current refs with browser_snapshot.",
  });
}
