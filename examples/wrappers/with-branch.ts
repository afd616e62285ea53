/** `hermes` with one more line on its screen: the Git branch of the working folder, above the status bar. */
import { readFileSync } from "node:fs";
import { run, type ScreenPart } from "hermes-agent/cli";

const branchLine: ScreenPart = {
  render: (columns) => [` on ${branch()}`.slice(0, columns)],
  invalidate: () => {},
};

process.exitCode = await run(process.argv.slice(2), {
  layout: ({ status_bar, ...above }) => [...Object.values(above), branchLine, status_bar],
});

function branch(): string {
  try {
    return readFileSync(".git/HEAD", "utf8").trim().replace("ref: refs/heads/", "");
  } catch {
    return "no branch"; // Not the top folder of a repository.
  }
}
