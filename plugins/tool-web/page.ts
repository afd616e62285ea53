/** A page for the model. */
export interface Page {
  readonly url: string;
  readonly title: string;
  readonly content: string;
  readonly error: string | null;
  /** Why a requested summary is missing. */
  readonly note?: string;
}
