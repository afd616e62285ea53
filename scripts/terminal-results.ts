import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The results of the contract suites, committed with the project as the source of the page and the READMEs' tables. One
 * backend a line.
 */
export const TERMINAL_RESULTS_FILE = "docs/reference/terminal-contract.jsonl";

/** Each backend's contract suite. Podman is a second client of the docker backend. */
export const TERMINAL_SUITES: { readonly [backend: string]: string } = {
  local: "plugins/terminal-local/local-backend.io.test.ts",
  docker: "plugins/terminal-docker/docker-contract.io.test.ts",
  podman: "plugins/terminal-docker/podman-contract.io.test.ts",
  ssh: "plugins/terminal-ssh/ssh-contract.io.test.ts",
  singularity: "plugins/terminal-singularity/singularity-contract.io.test.ts",
  modal: "plugins/terminal-modal/modal-contract.io.test.ts",
  daytona: "plugins/terminal-daytona/daytona-contract.io.test.ts",
  vercel_sandbox: "plugins/terminal-vercel/vercel-contract.io.test.ts",
};

/** One backend's results, behaviours by id. @property kind What it ran against: the real service, or a double of it. */
export interface BackendResults {
  readonly backend: string;
  readonly kind: "real" | "double";
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: { readonly [id: string]: string };
}

export function readTerminalResults(root: string): readonly BackendResults[] {
  return readFileSync(join(root, TERMINAL_RESULTS_FILE), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as BackendResults);
}

/** The new results replace the old ones of their backend. */
export function keepTerminalResults(root: string, found: BackendResults): void {
  const all = new Map([...readTerminalResults(root), found].map((one) => [one.backend, one]));
  const lines = Object.keys(TERMINAL_SUITES).flatMap((backend) =>
    all.has(backend) ? [`${JSON.stringify(all.get(backend))}\n`] : [],
  );
  writeFileSync(join(root, TERMINAL_RESULTS_FILE), lines.join(""));
}

/** The results that a suite wrote to the file named by HERMES_TERMINAL_RESULTS. `undefined` if it ran nothing. */
export function collectResults(text: string): BackendResults | undefined {
  const lines = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as SuiteLine);
  const [first] = lines;
  if (first === undefined) return undefined;
  const ids = (outcome: SuiteLine["outcome"]): readonly string[] =>
    lines.filter((line) => line.outcome === outcome).map(({ id }) => id);
  return {
    backend: first.backend,
    kind: first.kind,
    passed: ids("passed"),
    failed: ids("failed"),
    skipped: Object.fromEntries(
      lines.flatMap(({ id, outcome, why }) => (outcome === "skipped" ? [[id, why ?? "skipped"]] : [])),
    ),
  };
}

interface SuiteLine {
  readonly backend: string;
  readonly kind: "real" | "double";
  readonly id: string;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly why?: string;
}
