/** Thrown when a part of the judge is not loaded: load it, then judge again. */
export class PartMissing extends Error {
  readonly load: () => Promise<void>;

  constructor(part: string, load: () => Promise<void>) {
    super(`The part "${part}" is not loaded.`);
    this.load = load;
  }
}
