import type { Json, JsonObject, ReasoningPart } from "hermes-agent/plugin";
import { definedFields } from "hermes-agent/plugin";

type Fields = { readonly [key: string]: unknown };

/** Collects the thinking of one answer with the data to send it back: its field, or the service's own details. */
export class ReasoningFold {
  readonly #details: Record<string, Json>[] = [];
  #text = "";
  #field: string | undefined;

  get chars(): number {
    return this.#text.length;
  }

  /** The thinking in a delta's separate fields, to show and to pass to `add`; the content may contain thinking too. */
  read(delta: Fields): string {
    const details = Array.isArray(delta["reasoning_details"]) ? (delta["reasoning_details"] as Fields[]) : [];
    for (const detail of details) this.#merge(detail as Record<string, Json>);
    for (const field of ["reasoning_content", "reasoning"]) {
      const value = delta[field];
      if (typeof value === "string" && value !== "") {
        this.#field ??= field;
        return value;
      }
    }
    return details
      .map((detail) =>
        typeof detail["text"] === "string"
          ? detail["text"]
          : typeof detail["summary"] === "string"
            ? detail["summary"]
            : "",
      )
      .join("");
  }

  add(text: string): void {
    this.#text += text;
  }

  end(from: string): ReasoningPart[] {
    if (this.#text === "" && this.#details.length === 0) return [];
    const provider: JsonObject | undefined =
      this.#details.length > 0
        ? { from, details: this.#details }
        : this.#field === undefined
          ? undefined
          : { from, field: this.#field };
    return [definedFields({ type: "reasoning", text: this.#text, provider })];
  }

  /** OpenRouter streams its details in pieces; those of one index and type are one. */
  #merge(piece: Record<string, Json>): void {
    const same = this.#details.at(-1);
    if (same === undefined || same["type"] !== piece["type"] || same["index"] !== piece["index"]) {
      this.#details.push({ ...piece });
      return;
    }
    for (const [key, value] of Object.entries(piece)) {
      const before = same[key];
      if (
        (key === "text" || key === "summary" || key === "data") &&
        typeof before === "string" &&
        typeof value === "string"
      )
        same[key] = before + value;
      else if (value !== null && value !== undefined) same[key] = value;
    }
  }
}
