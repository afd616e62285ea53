/** A page as a model is given it. */
export interface Page {
  readonly url: string;
  readonly title: string;
  readonly content: string;
  readonly error: string | null;
  /** Why there is no summary where one was wanted. */
  readonly note?: string;
}
