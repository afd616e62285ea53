/** Thrown where a part of the judge is needed that is not loaded: load it, then judge anew. */
export class PartMissing extends Error {
  readonly load: () => Promise<void>;

  constructor(part: string, load: () => Promise<void>) {
    super(`The part "${part}" is not loaded.`);
    this.load = load;
  }
}
