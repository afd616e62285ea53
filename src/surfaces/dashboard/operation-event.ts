export type QuestionKind = "confirm" | "text" | "secret";

/** An event that an operation sends to the page. The last event is `end` or `failed`. */
export type OperationEvent =
  | { readonly kind: "text"; readonly text: string }
  /** It waits for `POST /api/answers/:id` with `answer`: `true` or `false`, or a text. */
  | { readonly kind: "ask"; readonly id: string; readonly question: QuestionKind; readonly text: string }
  | { readonly kind: "end"; readonly ok: boolean }
  | { readonly kind: "failed"; readonly error: string; readonly hint?: string };
