/** The text of a thrown value, which may be anything. Never throws. */
export function thrownWords(cause: unknown): string {
  try {
    if (typeof cause !== "object" || cause === null) return String(cause);
    if ("message" in cause && typeof cause.message === "string") return cause.message;
    const own = String(cause);
    return own === "[object Object]" ? (JSON.stringify(cause) ?? own) : own;
  } catch {
    return "a value that cannot be printed"; // Its toString throws, or it holds itself.
  }
}
