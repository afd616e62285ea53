/**
 * The work one command may cost. Thrown through everything: what was found until then still counts, and the answer is
 * never "allow".
 */
export class OverBudget extends Error {
  constructor() {
    super("the command takes too much work to analyse");
  }
}

/**
 * Counts work in steps of about a microsecond on an ordinary machine, so that the same text always ends at the same
 * place, however busy the machine is.
 */
export class Budget {
  left: number;

  constructor(steps: number) {
    this.left = steps;
  }

  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new OverBudget();
  }
}
